/** A result of an action. It disappears after `timeout` milliseconds; 0: only the admin closes it. */
export interface Message {
  readonly title: string;
  readonly type?: 'error';
  readonly timeout?: number;
}

/** Stores messages until the script that shows them is loaded. */
export class MessageQueue {
  readonly #waiting: Message[] = [];
  #show: ((message: Message) => void) | null = null;

  add(message: Message): void {
    if (this.#show) this.#show(message);
    else this.#waiting.push(message);
  }

  /** Shows all queued and later messages. Returns a function that stops this. */
  connect(show: (message: Message) => void): () => void {
    this.#show = show;
    for (const message of this.#waiting.splice(0)) show(message);
    return () => {
      this.#show = null;
    };
  }
}
