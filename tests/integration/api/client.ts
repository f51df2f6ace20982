import { PASSWORD } from '#tests/support/people.ts';

/** A response of the API. */
export interface ApiAnswer {
  status: number;
  headers: Headers;
  /** The text as received. */
  text: string;
  /** The envelope; undefined if the response is not JSON. */
  body: {
    success?: boolean;
    data?: Record<string, unknown>;
    error?: string;
    message?: string;
    fields?: object;
    rows?: object[];
  };
}

export interface CallOptions {
  query?: Record<string, string> | undefined;
  body?: unknown;
  file?: { field: string; name: string; type: string; bytes: Uint8Array<ArrayBuffer> } | undefined;
  headers?: Record<string, string>;
}

/** A client of the API, with or without a token. */
export class ApiClient {
  readonly base: string;
  token: string | null;
  /** Email of its account, if it has one. */
  email = '';

  constructor(base: string, token: string | null = null) {
    this.base = base;
    this.token = token;
  }

  /** Sends one call. Text and bytes are sent as they are, anything else as JSON. */
  async call(method: string, path: string, options: CallOptions = {}): Promise<ApiAnswer> {
    const { query, body, file, headers = {} } = options;
    const search = query && Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : '';
    const { bytes, type } = await bodyOf(body, file);
    const response = await fetch(`${this.base}${path}${search}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(this.token === null ? {} : { authorization: `Bearer ${this.token}` }),
        ...(type === null ? {} : { 'content-type': type }),
        ...headers,
      },
      ...(bytes === null ? {} : { body: bytes }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text !== '' ? (JSON.parse(text) as ApiAnswer['body']) : {},
    };
  }

  get(path: string, query?: Record<string, string>): Promise<ApiAnswer> {
    return this.call('GET', path, { query });
  }

  post(path: string, body: unknown = {}): Promise<ApiAnswer> {
    return this.call('POST', path, { body });
  }

  put(path: string, body: unknown): Promise<ApiAnswer> {
    return this.call('PUT', path, { body });
  }

  patch(path: string, body: unknown = {}): Promise<ApiAnswer> {
    return this.call('PATCH', path, { body });
  }

  delete(path: string): Promise<ApiAnswer> {
    return this.call('DELETE', path);
  }
}

type Body = { bytes: string | Uint8Array<ArrayBuffer> | null; type: string | null };

/** The bytes of a body, with a known length because the server requires a Content-Length. */
async function bodyOf(body: unknown, file: CallOptions['file']): Promise<Body> {
  if (file) {
    const form = new FormData();
    form.append(file.field, new File([file.bytes], file.name, { type: file.type }));
    const encoded = new Response(form);
    const type = encoded.headers.get('content-type');
    return { bytes: new Uint8Array(await encoded.arrayBuffer()), type };
  }
  if (body === undefined) return { bytes: null, type: null };
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  const bytes = isRaw ? (body as string | Uint8Array<ArrayBuffer>) : JSON.stringify(body);
  return { bytes, type: 'application/json' };
}

/** A valid registration. */
export function registration(email: string, more: object = {}): Record<string, unknown> {
  return {
    email,
    password: PASSWORD,
    confirmPassword: PASSWORD,
    agreeToTerms: true,
    ageVerification: true,
    ...more,
  };
}
