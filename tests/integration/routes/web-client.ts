import http from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { createCookie } from '@remix-run/node';
import { sessionCookieName } from '#app/platform/http/session.server.ts';

/** A complete answer of the server. */
export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  setCookies: string[];
  body: string;
  /** `Location` as a path of this site when it is one, else as sent. */
  location: string | null;
}

export interface RequestOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Sends the body in chunks of unknown number, without its length. */
  chunked?: boolean;
}

export type FormFields = Record<string, string | readonly string[]>;

function collect(response: http.IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('end', () => resolve(Buffer.concat(chunks)));
    response.on('error', reject);
  });
}

/**
 * A browser without scripts, as far as the server can tell: keeps cookies, says where its forms come from, follows
 * nothing by itself.
 */
export class WebClient {
  readonly cookies = new Map<string, string>();
  private readonly base: URL;

  constructor(base: string) {
    this.base = new URL(base);
  }

  /** Sends exactly what it is told, cookies beside it. */
  async request(path: string, options: RequestOptions = {}): Promise<Answer> {
    const { method = 'GET', body } = options;
    const headers: Record<string, string | number> = { ...options.headers };
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    if (cookie && headers['cookie'] === undefined) headers['cookie'] = cookie;
    if (body !== undefined && !options.chunked) headers['content-length'] = Buffer.byteLength(body);
    const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
      const { hostname, port } = this.base;
      const request = http.request({ hostname, port, path, method, headers, agent: false }, resolve);
      request.on('error', reject);
      if (options.chunked) request.write(body);
      request.end(options.chunked ? undefined : body);
    });
    const bytes = await collect(response);
    const setCookies = response.headers['set-cookie'] ?? [];
    this.keep(setCookies);
    const { location = null } = response.headers;
    const own = location?.startsWith(this.base.origin) ? location.slice(this.base.origin.length) : location;
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      setCookies,
      body: bytes.toString('utf8'),
      location: own,
    };
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.request(path, { headers });
  }

  /** Sends a form of this site, as a browser encodes it. */
  post(path: string, fields: FormFields = {}, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send(path, encodeForm(fields), 'application/x-www-form-urlencoded', headers);
  }

  /** Sends any body from this site. */
  send(
    path: string,
    body: string | Buffer,
    contentType: string | null,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    return this.request(path, {
      method: 'POST',
      body,
      headers: {
        origin: this.base.origin,
        ...(contentType === null ? {} : { 'content-type': contentType }),
        ...headers,
      },
    });
  }

  /** Has the cookies of somebody who signed in to a server without https. */
  async keepSession(token: string, deviceToken: string): Promise<void> {
    const cookies = { [sessionCookieName(false)]: token, vialbook_device: deviceToken };
    for (const [name, value] of Object.entries(cookies))
      this.keep([await createCookie(name).serialize(value)]);
  }

  private keep(setCookies: readonly string[]): void {
    for (const line of setCookies) {
      const [pair = ''] = line.split(';', 1);
      const [name = ''] = pair.split('=', 1);
      const value = pair.slice(name.length + 1);
      if (/;\s*max-age=0/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }
}

/** Form fields as a body; a list repeats its name. */
export function encodeForm(fields: FormFields): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    for (const text of typeof value === 'string' ? [value] : value) search.append(name, text);
  }
  return search.toString();
}
