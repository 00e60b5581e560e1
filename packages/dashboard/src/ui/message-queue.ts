/** A result of an action. It is closed after `timeout` milliseconds; 0: by the admin. */
export interface Message {
  readonly title: string;
  readonly type?: 'error';
  readonly timeout?: number;
}

/** Messages wait here until the script that shows them is loaded. */
export class MessageQueue {
  readonly #waiting: Message[] = [];
  #show: ((message: Message) => void) | null = null;

  add(message: Message): void {
    if (this.#show) this.#show(message);
    else this.#waiting.push(message);
  }

  /** Shows the messages that wait, and each that follows. Returns the function that ends this. */
  connect(show: (message: Message) => void): () => void {
    this.#show = show;
    for (const message of this.#waiting.splice(0)) show(message);
    return () => {
      this.#show = null;
    };
  }
}
