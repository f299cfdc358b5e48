//! Who is let in, and what a browser is told never to do.
//!
//! A web page of somebody else's can make a browser send requests here. It cannot choose their `Host`,
//! unless its own name is made to mean this machine, nor the `Origin` of a WebSocket: so both are
//! looked at. A name is only ever `localhost`; everything else must be an address.

use std::net::{IpAddr, SocketAddr};

use axum::extract::{Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// Everything from here, nothing from elsewhere, nothing inline.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; \
    worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HARDENING: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// What it needs to know of the address the app is served at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guard {
    port: u16,
    is_local: bool,
}

impl Guard {
    pub(crate) fn new(addr: SocketAddr) -> Guard {
        Guard { port: addr.port(), is_local: addr.ip().is_loopback() }
    }

    /// Whether a request for this host is meant for us.
    fn is_host(self, host: &str) -> bool {
        let Ok(authority) = host.parse::<Authority>() else { return false };
        if authority.port_u16().unwrap_or(80) != self.port || host.contains('@') {
            return false;
        }
        let name = authority.host().trim_start_matches('[').trim_end_matches(']');
        if name.eq_ignore_ascii_case("localhost") {
            return true;
        }
        name.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback() || !self.is_local)
    }
}

/// Lets a request pass that is meant for us and, if a browser sends it for a page, for our own page.
pub(crate) async fn check(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let headers = request.headers();
    let Some(host) = text(headers, &header::HOST).filter(|host| guard.is_host(host)) else {
        let text = "this server answers only to its own address and to localhost";
        return (StatusCode::MISDIRECTED_REQUEST, text).into_response();
    };
    let origin = headers.get(header::ORIGIN).map(|origin| origin.to_str().unwrap_or_default());
    let is_own = origin.is_none_or(|origin| is_origin(origin, host));
    // Browsers always say where a WebSocket is opened from.
    let is_socket = headers.contains_key(header::UPGRADE);
    if !is_own || (is_socket && origin.is_none()) {
        let text = "this server answers only to its own page";
        return (StatusCode::FORBIDDEN, text).into_response();
    }
    next.run(request).await
}

fn is_origin(origin: &str, host: &str) -> bool {
    origin.strip_prefix("http://").is_some_and(|rest| rest.eq_ignore_ascii_case(host))
}

fn text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    headers.get(name)?.to_str().ok()
}

/// Tells the browser what it must not do with an answer.
pub(crate) async fn harden(mut response: Response) -> Response {
    for (name, value) in HARDENING {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_own_address_is_ours() {
        let local = Guard::new("127.0.0.1:8064".parse().unwrap());
        for host in ["127.0.0.1:8064", "localhost:8064", "LOCALHOST:8064", "[::1]:8064"] {
            assert!(local.is_host(host), "{host}");
        }
        let foreign = [
            "127.0.0.1",
            "127.0.0.1:80",
            "evil.example:8064",
            "localhost.evil.example:8064",
            "192.168.1.2:8064",
            "me@localhost:8064",
            "",
            "a b",
        ];
        for host in foreign {
            assert!(!local.is_host(host), "{host}");
        }
        let open = Guard::new("0.0.0.0:80".parse().unwrap());
        assert!(open.is_host("192.168.1.2") && open.is_host("192.168.1.2:80"));
        assert!(!open.is_host("evil.example"));
    }

    #[test]
    fn only_the_own_page_is_the_origin() {
        assert!(is_origin("http://127.0.0.1:8064", "127.0.0.1:8064"));
        for origin in ["https://127.0.0.1:8064", "http://evil.example", "null", "", "http://"] {
            assert!(!is_origin(origin, "127.0.0.1:8064"), "{origin}");
        }
    }
}
