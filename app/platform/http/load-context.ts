import type { AppLoadContext } from '@remix-run/node';

declare module '@remix-run/node' {
  interface AppLoadContext {
    /** Nonce of this response's content security policy. */
    nonce: string;
    /** Id of this request in the logs; a caller may quote it. */
    requestId: string;
    /** Address of the client, from the socket or, with `TRUST_PROXY`, from the proxy. */
    clientAddress: string;
    /** The connection comes from this machine itself, and no proxy passed the request on. */
    isThisMachine: boolean;
    /** Resolves once what was written of the answer has left for the client, or the client has gone. */
    whenTaken(): Promise<void>;
  }
}

export type { AppLoadContext };
