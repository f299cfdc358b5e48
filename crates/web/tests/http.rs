//! The app without a socket: the page, and who is let in.

use axum::body::{Body, to_bytes};
use axum::http::{Request, Response, StatusCode, header};
use obverse_web::{App, Config};
use tower::ServiceExt;

const HOST: &str = "127.0.0.1:8064";

fn config() -> Config {
    Config { table_mib: 1, ..Config::default() }
}

async fn get(app: &App, path: &str, fields: &[(header::HeaderName, &str)]) -> Response<Body> {
    let mut request = Request::get(path);
    if fields.iter().all(|(name, _)| name != header::HOST) {
        request = request.header(header::HOST, HOST);
    }
    for (name, value) in fields {
        request = request.header(name, *value);
    }
    let router = app.router(HOST.parse().unwrap());
    router.oneshot(request.body(Body::empty()).unwrap()).await.unwrap()
}

async fn text(response: Response<Body>) -> String {
    let bytes = to_bytes(response.into_body(), usize::MAX).await.unwrap();
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[tokio::test]
async fn the_page_is_served_with_a_strict_policy() {
    let app = App::new(config());
    let response = get(&app, "/", &[]).await;
    assert_eq!(response.status(), StatusCode::OK);
    let field = |name: &str| response.headers()[name].to_str().unwrap().to_owned();
    assert_eq!(field("content-type"), "text/html; charset=utf-8");
    assert_eq!(field("x-content-type-options"), "nosniff");
    let policy = field("content-security-policy");
    for part in
        ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"]
    {
        assert!(policy.split("; ").any(|other| other == part), "{part} is not in {policy}");
    }
    assert!(!policy.contains("unsafe"), "{policy}");
    assert!(text(response).await.contains("Obverse"));
}

#[tokio::test]
async fn a_page_that_has_not_changed_is_not_sent_again() {
    let app = App::new(config());
    let tag = get(&app, "/", &[]).await.headers()[header::ETAG].to_str().unwrap().to_owned();
    let again = get(&app, "/", &[(header::IF_NONE_MATCH, &tag)]).await;
    assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
    assert_eq!(text(again).await, "");
}

#[tokio::test]
async fn there_is_nothing_but_the_page() {
    let app = App::new(config());
    for path in ["/nothing", "/../Cargo.toml", "/%2e%2e/Cargo.toml", "/.git/config", "//etc/passwd"]
    {
        let response = get(&app, path, &[]).await;
        assert_eq!(response.status(), StatusCode::NOT_FOUND, "{path}");
        assert!(response.headers().contains_key(header::CONTENT_SECURITY_POLICY), "{path}");
    }
}

#[tokio::test]
async fn a_page_in_a_folder_is_served_from_there() {
    let folder = std::env::temp_dir().join(format!("obverse-page-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("js")).unwrap();
    std::fs::write(folder.join("index.html"), "mine").unwrap();
    std::fs::write(folder.join("js/app.js"), "1").unwrap();
    let app = App::new(Config { page: Some(folder.clone()), ..config() });
    assert_eq!(text(get(&app, "/", &[]).await).await, "mine");
    let script = get(&app, "/js/app.js", &[]).await;
    assert_eq!(script.headers()[header::CONTENT_TYPE], "text/javascript");
    assert_eq!(get(&app, "/../Cargo.toml", &[]).await.status(), StatusCode::NOT_FOUND);
    std::fs::remove_dir_all(folder).unwrap();
}

#[tokio::test]
async fn requests_for_another_host_are_refused() {
    let app = App::new(config());
    for host in ["evil.example:8064", "evil.example", "127.0.0.1:80", "192.168.0.9:8064", ""] {
        let response = get(&app, "/", &[(header::HOST, host)]).await;
        assert_eq!(response.status(), StatusCode::MISDIRECTED_REQUEST, "{host}");
    }
    for host in ["localhost:8064", "[::1]:8064", "127.0.0.1:8064"] {
        assert_eq!(
            get(&app, "/", &[(header::HOST, host)]).await.status(),
            StatusCode::OK,
            "{host}"
        );
    }
}

#[tokio::test]
async fn requests_of_another_page_are_refused() {
    let app = App::new(config());
    for origin in ["http://evil.example", "https://127.0.0.1:8064", "http://127.0.0.1:8065", "null"]
    {
        let response = get(&app, "/", &[(header::ORIGIN, origin)]).await;
        assert_eq!(response.status(), StatusCode::FORBIDDEN, "{origin}");
    }
    let own = get(&app, "/", &[(header::ORIGIN, "http://127.0.0.1:8064")]).await;
    assert_eq!(own.status(), StatusCode::OK);
}

#[tokio::test]
async fn the_socket_is_for_web_sockets() {
    let app = App::new(config());
    let response = get(&app, "/socket", &[]).await;
    assert!(response.status().is_client_error(), "{}", response.status());
}
