import type { World } from './world.ts';

/** A request in transit. Each call is one arrival at the server. */
type Arrival = () => Promise<Response>;

/** The response as seen by the sender of a request. */
export interface Received {
  readonly status: number;
  /** The parsed body; null if it is empty. */
  readonly body: unknown;
}

/** The network between clients and the processes. */
export interface Network {
  /** Every request and every response arrives exactly once. */
  isReliable: boolean;
  /** Sends a request. Null if the sender gets no response for any reason. */
  send(path: string, body: unknown, options?: SendOptions): Promise<Received | null>;
  /** Delayed requests arrive now, in any order. Their senders have given up. */
  deliverLate(): Promise<void>;
}

interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Called each time the request arrives at a process. Returns a function to call once there is a response. */
  readonly onArrival?: () => () => void;
}

export function createNetwork(world: World, processOf: () => number): Network {
  let late: Arrival[] = [];

  function request(path: string, body: unknown, headers: Readonly<Record<string, string>>): Request {
    return new Request(`https://early.example/api${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  }

  const network: Network = {
    isReliable: false,
    async send(path, body, { headers = {}, onArrival = () => () => {} } = {}) {
      const arrive: Arrival = async () => {
        const process = world.process(processOf());
        const onResponse = onArrival();
        const response = await process.app.fetch(request(path, body, headers));
        onResponse();
        // A caller of a process that has ended gives up, because it would wait forever.
        return process.hasEnded ? Response.error() : response;
      };
      const fate = network.isReliable ? 9 : world.chance.below(10);
      if (fate === 0) return null;
      if (fate === 1) {
        late.push(arrive);
        return null;
      }
      // The network may repeat a request.
      const [response] = await Promise.all([arrive(), fate === 2 && arrive()]);
      if (fate === 3 || response.status === 0) return null;
      const text = await response.text();
      return { status: response.status, body: text === '' ? null : JSON.parse(text) };
    },
    async deliverLate() {
      const arriving = late.filter(() => world.chance.below(2) === 0);
      late = late.filter((arrival) => !arriving.includes(arrival));
      await Promise.all(arriving.reverse().map((arrive) => arrive()));
    },
  };
  return network;
}
