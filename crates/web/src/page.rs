//! The files of the page: built into the program, or from a folder while they are being written.

use std::path::Path;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;
use tower_http::services::ServeDir;
use tower_http::set_header::SetResponseHeaderLayer;

#[derive(RustEmbed)]
#[folder = "page"]
struct Page;

/// A browser asks whether what it has is still good, so that a new program never has an old page.
const CACHING: HeaderValue = HeaderValue::from_static("no-cache");

/// Serves the page from a folder, or the one built in.
pub(crate) fn router(folder: Option<&Path>) -> Router {
    match folder {
        Some(folder) => Router::new()
            .fallback_service(ServeDir::new(folder))
            .layer(SetResponseHeaderLayer::overriding(header::CACHE_CONTROL, CACHING)),
        None => Router::new().fallback(built_in),
    }
}

async fn built_in(uri: Uri, headers: HeaderMap) -> Response {
    let path = match uri.path().trim_start_matches('/') {
        "" => "index.html",
        path => path,
    };
    let Some(file) = Page::get(path) else {
        return (StatusCode::NOT_FOUND, "there is no such file").into_response();
    };
    let hash: String =
        file.metadata.sha256_hash().iter().map(|byte| format!("{byte:02x}")).collect();
    let tag = format!("\"{hash}\"");
    let is_known = headers.get(header::IF_NONE_MATCH).is_some_and(|known| known == tag.as_str());
    let (status, body) = if is_known {
        (StatusCode::NOT_MODIFIED, Body::empty())
    } else {
        (StatusCode::OK, Body::from(file.data))
    };
    let mime = file.metadata.mimetype();
    let mime =
        if mime.starts_with("text/") { format!("{mime}; charset=utf-8") } else { mime.to_owned() };
    let fields = [
        (header::CONTENT_TYPE, mime),
        (header::ETAG, tag),
        (header::CACHE_CONTROL, "no-cache".to_owned()),
    ];
    (status, fields, body).into_response()
}
