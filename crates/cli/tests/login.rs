//! Only those who may get into a cluster: passwords, tokens, certificates and credentials, with real NATS
//! servers.

mod support;

use std::fs;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use nkeys::KeyPair;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa};
use serde_json::{Value, json};
use support::{Broker, check_status, folder, free_ports, run, texts};

#[test]
fn only_those_who_may_get_in() {
    let folder = folder("cluster-login");
    let broker = Broker::start(&folder, &["--user", "anna", "--pass", "secret"]);
    std::fs::write(folder.join("password"), "secret\n").unwrap();
    std::fs::write(folder.join("wrong"), "guess\n").unwrap();
    let status = |more: &[&str]| {
        run(&folder, &[&["cluster", "status", "--server", &broker.url], more].concat())
    };
    check_status(&status(&["--user", "anna", "--password-file", "password"]), 0);
    for more in [&["--user", "anna", "--password-file", "wrong"][..], &[]] {
        let output = status(more);
        check_status(&output, 2);
        assert!(texts(&output).1.to_lowercase().contains("authorization"), "{output:?}");
    }
    let output = status(&["--user", "anna"]);
    assert!(texts(&output).1.contains("expected --password-file FILE"), "{output:?}");
    let broker = Broker::start(&folder, &["--auth", "open-sesame"]);
    std::fs::write(folder.join("token"), "open-sesame\n").unwrap();
    let arguments = ["cluster", "status", "--server", &broker.url, "--token-file", "token"];
    check_status(&run(&folder, &arguments), 0);
    let output = run(&folder, &["cluster", "status", "--server", "nats://127.0.0.1:1"]);
    check_status(&output, 2);
    assert!(texts(&output).1.contains("cannot connect to nats://127.0.0.1:1"), "{output:?}");
}

fn status(folder: &Path, url: &str, more: &[&str]) -> std::process::Output {
    run(folder, &[&["cluster", "status", "--server", url], more].concat())
}

/// Starts a server with a configuration of its own.
fn configured(folder: &Path, rest: &str) -> (Broker, u16) {
    let port = free_ports(1)[0];
    let store = folder.join("js");
    let config = format!(
        "host: 127.0.0.1\nport: {port}\njetstream {{ store_dir: \"{}\" }}\n{rest}",
        store.display()
    );
    let path = folder.join("nats.conf");
    fs::write(&path, config).unwrap();
    (Broker::with(folder, port, vec!["-c".to_owned(), path.display().to_string()]), port)
}

#[test]
fn certificates_are_asked_for_on_both_sides() {
    let folder = folder("cluster-tls");
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let ca = CertifiedIssuer::self_signed(params, rcgen::KeyPair::generate().unwrap()).unwrap();
    fs::write(folder.join("ca.pem"), ca.pem()).unwrap();
    for name in ["server", "client"] {
        let key = rcgen::KeyPair::generate().unwrap();
        let params = CertificateParams::new(vec!["127.0.0.1".to_owned()]).unwrap();
        let certificate = params.signed_by(&key, &ca).unwrap();
        fs::write(folder.join(format!("{name}.pem")), certificate.pem()).unwrap();
        fs::write(folder.join(format!("{name}.key")), key.serialize_pem()).unwrap();
    }
    let file = |name: &str| folder.join(name).display().to_string();
    let (_broker, port) = configured(
        &folder,
        &format!(
            "tls {{ cert_file: {:?}, key_file: {:?}, ca_file: {:?}, verify: true }}\n",
            file("server.pem"),
            file("server.key"),
            file("ca.pem")
        ),
    );
    let url = format!("tls://127.0.0.1:{port}");
    let ours = ["--tls-cert", "client.pem", "--tls-key", "client.key"];
    check_status(&status(&folder, &url, &[&["--tls-ca", "ca.pem"], &ours[..]].concat()), 0);
    // Whoever does not know the other side stays out.
    check_status(&status(&folder, &url, &ours), 2);
    check_status(&status(&folder, &url, &["--tls-ca", "ca.pem"]), 2);
    let output = status(&folder, &url, &["--tls-ca", "missing.pem"]);
    check_status(&output, 2);
    assert!(texts(&output).1.contains("cannot read the certificate missing.pem"), "{output:?}");
}

/// What a key says of another, signed.
fn jwt(signer: &KeyPair, name: &str, subject: &str, nats: &Value) -> String {
    let encode = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let claims = json!({
        "jti": name, "iat": 1_700_000_000, "iss": signer.public_key(), "name": name, "sub": subject,
        "nats": nats,
    });
    let head = encode(&json!({ "typ": "JWT", "alg": "ed25519-nkey" }));
    let text = format!("{head}.{}", encode(&claims));
    let signature = URL_SAFE_NO_PAD.encode(signer.sign(text.as_bytes()).unwrap());
    format!("{text}.{signature}")
}

#[test]
fn credentials_open_the_door() {
    let folder = folder("cluster-creds");
    let operator = KeyPair::new_operator();
    let [system, account] = [KeyPair::new_account(), KeyPair::new_account()];
    let user = KeyPair::new_user();
    let all = json!({
        "subs": -1, "data": -1, "payload": -1, "imports": -1, "exports": -1, "wildcards": true,
        "conn": -1, "leaf": -1, "mem_storage": -1, "disk_storage": -1, "streams": -1, "consumer": -1,
    });
    let none = json!({
        "subs": -1, "data": -1, "payload": -1, "imports": -1, "exports": -1, "wildcards": true,
        "conn": -1, "leaf": -1,
    });
    let named = |name: &str, key: &KeyPair, limits: &Value| {
        let nats = json!({ "limits": limits, "type": "account", "version": 2 });
        jwt(&operator, name, &key.public_key(), &nats)
    };
    let own = json!({ "type": "operator", "version": 2 });
    let (_broker, port) = configured(
        &folder,
        &format!(
            "operator: {}\nsystem_account: {}\nresolver: MEMORY\n\
             resolver_preload: {{ {}: {}, {}: {} }}\n",
            jwt(&operator, "operator", &operator.public_key(), &own),
            system.public_key(),
            system.public_key(),
            named("system", &system, &none),
            account.public_key(),
            named("account", &account, &all),
        ),
    );
    let rights = json!({
        "pub": {}, "sub": {}, "subs": -1, "data": -1, "payload": -1, "type": "user", "version": 2,
    });
    let creds = |signer: &KeyPair| {
        format!(
            "-----BEGIN NATS USER JWT-----\n{}\n------END NATS USER JWT------\n\n\
             -----BEGIN USER NKEY SEED-----\n{}\n------END USER NKEY SEED------\n",
            jwt(signer, "user", &user.public_key(), &rights),
            user.seed().unwrap(),
        )
    };
    fs::write(folder.join("user.creds"), creds(&account)).unwrap();
    // Somebody who signed for himself.
    fs::write(folder.join("forged.creds"), creds(&KeyPair::new_account())).unwrap();
    let url = format!("nats://127.0.0.1:{port}");
    check_status(&status(&folder, &url, &["--creds", "user.creds"]), 0);
    for more in [&["--creds", "forged.creds"][..], &["--creds", "missing.creds"], &[]] {
        check_status(&status(&folder, &url, more), 2);
    }
}
