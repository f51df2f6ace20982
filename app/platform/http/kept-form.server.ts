import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import * as z from 'zod';
import { decryptSecret, encryptSecret } from '#app/platform/secrets/encrypted-secret.server.ts';
import { SECRET_FIELDS } from './forms.server.ts';
import { cookie, currentApp, readDeviceCookie } from './session.server.ts';

const keptSchema = z.object({
  address: z.string(),
  fields: z.array(z.tuple([z.string(), z.string()])),
  lost: z.enum(['nothing', 'file', 'length']),
  deviceToken: z.string().nullable(),
});

/** A form that was sent after its session had ended. */
export interface KeptForm {
  /** Path and query that it was sent to. */
  address: string;
  /** What was typed, in its order; never a password or a file. */
  fields: [name: string, value: string][];
  /** What could not be kept: nothing, a file, or all of it because it is too long for a cookie. */
  lost: 'nothing' | 'file' | 'length';
  /** The device token of whoever signed in here last: nobody else may read it. */
  deviceToken: string | null;
}

/** Seconds that somebody has to sign in again. */
const HALF_AN_HOUR = 1800;

/** Bytes of a body that are read for somebody who is not signed in. */
const MAX_BODY = 64 * 1024;

/** Characters of a cookie that every browser keeps, without its name and attributes (RFC 6265, 6.1). */
const MAX_COOKIE = 3800;

const USE = { purpose: 'kept form', ownerId: '' };

const keptFormCookie = (maxAge: number) => cookie('vialbook_form', { maxAge });

/** The fields of a body, and whether a file was among them; null when it is too long, or no form. */
async function readFields(request: Request): Promise<Pick<KeptForm, 'fields' | 'lost'> | null> {
  const isUpload = /^multipart\/form-data\b/i.test(request.headers.get('Content-Type') ?? '');
  const length = Number(request.headers.get('Content-Length') ?? Infinity);
  if (length > MAX_BODY) return isUpload ? { fields: [], lost: 'file' } : null;
  const fields: KeptForm['fields'] = [];
  let lost: KeptForm['lost'] = 'nothing';
  const form = await request.formData().catch(() => new FormData());
  for (const [name, value] of form) {
    if (SECRET_FIELDS.includes(name)) continue;
    if (typeof value === 'string') fields.push([name, value]);
    else if (value.size > 0) lost = 'file';
  }
  return { fields, lost };
}

function seal(kept: KeptForm): string {
  // A middling effort, since strangers can ask for this. Base64, because what is encrypted is text.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5 };
  const packed = brotliCompressSync(JSON.stringify(kept), { params }).toString('base64');
  return encryptSecret(currentApp().sessionSecret, USE, packed);
}

/**
 * The `Set-Cookie` value that keeps a form in its browser, encrypted, until its person has signed in again. The server
 * keeps nothing, so that strangers cannot fill it.
 */
export async function keepForm(request: Request, address: string): Promise<string> {
  const deviceToken = await readDeviceCookie(request);
  const read = (await readFields(request)) ?? { fields: [], lost: 'length' as const };
  const sealed = seal({ address, ...read, deviceToken });
  const short =
    sealed.length <= MAX_COOKIE ? sealed : seal({ address, fields: [], lost: 'length', deviceToken });
  return keptFormCookie(HALF_AN_HOUR).serialize(short);
}

/** The form that this browser keeps for an address; null when there is none. */
export async function readKeptForm(request: Request): Promise<KeptForm | null> {
  const sealed: unknown = await keptFormCookie(HALF_AN_HOUR)
    .parse(request.headers.get('Cookie'))
    .catch(() => null);
  if (typeof sealed !== 'string') return null;
  const packed = decryptSecret(currentApp().sessionSecret, USE, sealed);
  if (packed === null) return null;
  const text = brotliDecompressSync(Buffer.from(packed, 'base64')).toString('utf8');
  return keptSchema.parse(JSON.parse(text)) as KeptForm;
}

/** The `Set-Cookie` values that drop a form, if this browser keeps one. */
export async function forgetForm(request: Request): Promise<string[]> {
  const kept = keptFormCookie(0);
  const isThere = request.headers.get('Cookie')?.includes(`${kept.name}=`) ?? false;
  return isThere ? [await kept.serialize('', { maxAge: 0 })] : [];
}
