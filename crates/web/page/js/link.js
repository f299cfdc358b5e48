// The connection to the program: one WebSocket, which heals by itself.

const VERSION = 1;
const RETRY_MS_FIRST = 500;
const RETRY_MS_MAX = 5000;
/** A server that is busy or full is asked again after this long. */
const RETRY_MS_BUSY = 4000;

/**
 * Connects and stays connected. `greeting` gives `{ sitting, saved }` for each `hello`; `receive` gets
 * every message, `status` every change of the connection.
 */
export class Link {
  #socket = null;
  #retryMs = RETRY_MS_FIRST;
  #timer = 0;
  #bye = null;
  #nextId = 1;
  #waiting = new Map();

  constructor({ greeting, receive, status }) {
    this.greeting = greeting;
    this.receive = receive;
    this.status = status;
    // A laptop that wakes up, or a network that is back, need not wait for the timer.
    addEventListener("online", () => this.#hurry());
    document.addEventListener(
      "visibilitychange",
      () => document.visibilityState === "visible" && this.#hurry(),
    );
  }

  get open() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  connect() {
    clearTimeout(this.#timer);
    this.#bye = null;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/socket`);
    this.#socket = socket;
    socket.onopen = () => {
      const { sitting, saved } = this.greeting();
      const hello = { type: "hello", version: VERSION };
      if (sitting) hello.sitting = sitting;
      if (saved) hello.saved = saved;
      this.send(hello);
    };
    socket.onmessage = (event) => this.#take(JSON.parse(event.data));
    socket.onclose = () => socket === this.#socket && this.#closed();
  }

  /** Leaves the sitting and greets again; used to go to another one. */
  reconnect() {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    this.#retryMs = RETRY_MS_FIRST;
    this.connect();
  }

  /** Sends a message; false if there is no connection. */
  send(message) {
    if (!this.open) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  /** Sends a message and waits for its answer; an `error` rejects. */
  ask(message) {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      if (!this.send({ ...message, id })) {
        reject({ type: "error", code: "offline", text: "" });
        return;
      }
      this.#waiting.set(id, { resolve, reject });
    });
  }

  /** Sends a message that has no answer of its own and waits until it is granted; an `error` rejects. */
  async wish(message) {
    const id = this.#nextId;
    const refused = this.ask(message);
    // A pong comes after whatever the message has brought.
    const granted = this.ask({ type: "ping" });
    for (const answer of [refused, granted]) answer.catch(() => {});
    await Promise.race([refused, granted]).finally(() => this.#waiting.delete(id));
  }

  #take(message) {
    if (message.type === "welcome") {
      this.#retryMs = RETRY_MS_FIRST;
      this.status("open");
    } else if (message.type === "bye") {
      this.#bye = message.reason;
    }
    const waiting = this.#waiting.get(message.to);
    if (waiting) {
      this.#waiting.delete(message.to);
      if (message.type === "error") waiting.reject(message);
      else waiting.resolve(message);
      return;
    }
    this.receive(message);
  }

  #closed() {
    for (const { reject } of this.#waiting.values()) reject({ type: "error", code: "offline", text: "" });
    this.#waiting.clear();
    if (this.#bye === "taken-over" || this.#bye === "version") {
      this.status(this.#bye);
      return;
    }
    const busy = this.#bye === "full" || this.#bye === "too-fast";
    this.status(this.#bye === "full" ? "full" : "lost");
    this.#timer = setTimeout(() => this.connect(), busy ? RETRY_MS_BUSY : this.#retryMs);
    this.#retryMs = Math.min(this.#retryMs * 1.6, RETRY_MS_MAX);
  }

  #hurry() {
    if (this.#socket?.readyState === WebSocket.CLOSED && !this.#bye) this.connect();
  }
}
