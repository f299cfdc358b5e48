//! The web app: HTTP, one WebSocket a sitting, the page.
