import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { AppError, fieldError } from '#app/domain/errors.ts';
import { guardedLookup, isForbiddenHost, isPublicAddress } from './public-address.server.ts';

const MAX_BYTES = 1024 * 1024;
const TIME_LIMIT_MS = 10_000;
const MAX_REDIRECTS = 3;

/** Fetches a text from an address that a user gives. */
export interface RemoteTexts {
  /** @throws AppError INVALID_INPUT with the reason in `fields.url` */
  read(account: string, url: string): Promise<string>;
}

interface RemoteOptions {
  /** Which addresses may be called; by default only public ones. */
  isAllowed?: (address: string) => boolean;
  /** For the whole fetch, redirects included. */
  timeLimitMs?: number;
}

function refusal(message: string): AppError {
  return fieldError('url', message);
}

const NO_ANSWER = 'This address could not be read. Check it, or paste the text instead.';

function parsed(url: string, base?: URL): URL {
  try {
    const address = new URL(url, base);
    if (address.protocol !== 'https:' && address.protocol !== 'http:') throw new Error('not of the web');
    if (address.username !== '' || address.password !== '') throw new Error('carries a password');
    return address;
  } catch {
    throw refusal('The address must begin with https:// or http://');
  }
}

type Answer = { redirect: string } | { text: string };

/** Reads a response up to the limit; a longer one closes the connection. */
async function bodyOf(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) {
      response.destroy();
      throw refusal('The file is larger than 1 MB.');
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function get(url: URL, lookup: LookupFunction, signal: AbortSignal): Promise<Answer> {
  const { request } = url.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    const options = {
      lookup,
      signal,
      agent: false as const,
      headers: { Accept: 'text/csv, text/plain;q=0.9, */*;q=0.1', 'Accept-Encoding': 'identity' },
    };
    const sent = request(url, options, (response) => {
      const status = response.statusCode ?? 0;
      const { location } = response.headers;
      if (status >= 300 && status < 400 && location !== undefined) {
        response.destroy();
        return resolve({ redirect: location });
      }
      if (status !== 200) {
        response.destroy();
        return reject(refusal(`The address answered with status ${status}.`));
      }
      return bodyOf(response).then((text) => resolve({ text }), reject);
    });
    sent.on('error', reject);
    sent.end();
  });
}

async function follow(
  account: string,
  start: string,
  isAllowed: (address: string) => boolean,
  signal: AbortSignal,
): Promise<string> {
  const lookup = guardedLookup(account, isAllowed);
  let url = parsed(start);
  for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
    if (isForbiddenHost(url, isAllowed)) throw refusal(NO_ANSWER);
    const answer = await get(url, lookup, signal);
    if ('text' in answer) return answer.text;
    url = parsed(answer.redirect, url);
  }
  throw refusal('The address redirects too many times.');
}

/**
 * Reads small texts from the public web: no private addresses, not even behind a redirect or a changing name; at most 1 MB,
 * 3 redirects and 10 seconds.
 */
export function createRemoteTexts(options: RemoteOptions = {}): RemoteTexts {
  const { isAllowed = isPublicAddress, timeLimitMs = TIME_LIMIT_MS } = options;
  return {
    async read(account, url) {
      const signal = AbortSignal.timeout(timeLimitMs);
      try {
        return await follow(account, url, isAllowed, signal);
      } catch (error) {
        if (error instanceof AppError) throw error;
        if (signal.aborted) throw refusal('The address took too long to answer.');
        // The exact reason would reveal something about our own network.
        throw refusal(NO_ANSWER);
      }
    },
  };
}
