import type { AppLoadContext } from '@remix-run/node';

declare module '@remix-run/node' {
  interface AppLoadContext {
    /** Nonce of this response's content security policy. */
    nonce: string;
    /** Id of this request in the logs, which a caller may quote. */
    requestId: string;
    /** Address of the client, from the socket or, with `TRUST_PROXY`, from the proxy. */
    clientAddress: string;
    /** The connection comes from this machine, not through a proxy. */
    isThisMachine: boolean;
    /** Resolves once everything written so far was sent to the client, or the client has disconnected. */
    whenTaken(): Promise<void>;
  }
}

export type { AppLoadContext };
