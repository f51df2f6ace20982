import { createContext, useContext } from 'react';

/** Nonce of the page's content security policy; known only on the server, because browsers hide it from scripts. */
export const NonceContext = createContext<string | undefined>(undefined);

/** The nonce for scripts of this page. */
export function useNonce(): string | undefined {
  return useContext(NonceContext);
}
