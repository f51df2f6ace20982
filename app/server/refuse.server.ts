import type { Request, Response } from 'express';

/** How much of a refused body is still read, so that its sender gets as far as the answer. */
const MAX_DISCARDED_BYTES = 64 * 1024 * 1024;

/** What is answered before any page or call runs. */
export interface Refusal {
  status: number;
  /** The API's code for it. */
  code: string;
  message: string;
  headers?: Record<string, string>;
}

/** True for addresses of the JSON API. */
export const isApiPath = (path: string): boolean => path === '/api' || path.startsWith('/api/');

/** True for the address of programs that speak the Model Context Protocol. */
export const isMcpPath = (path: string): boolean => path === '/mcp' || path === '/mcp/';

/** True where programs ask, which send no Origin and show their token: no page of this site does. */
export const isProgramPath = (path: string): boolean => isApiPath(path) || isMcpPath(path);

/** JSON-RPC: a refusal of the server's own, which answers no request by its id. */
const asRpc = (code: string, message: string) => ({
  jsonrpc: '2.0',
  id: null,
  error: { code: -32_000, message, data: { error: code } },
});

/**
 * Answers before any page code runs: a short text, since the caller is not a person using the site, and where programs
 * ask what they read. What is still on its way is read and dropped first: whoever closes a connection on it takes the answer
 * away as well.
 */
export function refuse(request: Request, response: Response, refusal: Refusal): void {
  const { status, code, message, headers = {} } = refusal;
  let left = MAX_DISCARDED_BYTES;
  request.on('data', (chunk: Buffer) => {
    left -= chunk.byteLength;
    if (left < 0) request.destroy();
  });
  request.once('end', () => {
    response.set({ 'Cache-Control': 'no-store', ...headers });
    response.status(status);
    if (isApiPath(request.path)) response.json({ success: false, error: code, message });
    else if (isMcpPath(request.path)) response.json(asRpc(code, message));
    else response.type('text/plain').send(`${message}\n`);
  });
}
