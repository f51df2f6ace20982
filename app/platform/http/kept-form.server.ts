import * as z from 'zod';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { decryptSecret, encryptSecret } from '#app/platform/secrets/encrypted-secret.server.ts';
import { SECRET_FIELDS } from './forms.server.ts';
import { cookie, currentApp, readDeviceCookie } from './session.server.ts';

const keptSchema = z.object({
  address: z.string(),
  fields: z.array(z.tuple([z.string(), z.string()])),
  lost: z.enum(['nothing', 'file', 'length']),
  deviceToken: z.string().nullable(),
});

/** A form submitted after its session had ended. */
export interface KeptForm {
  /** Path and query it was sent to. */
  address: string;
  /** What was typed, in order; never a password or a file. */
  fields: [name: string, value: string][];
  /** What could not be kept: nothing, a file, or everything because it is too long for a cookie. */
  lost: 'nothing' | 'file' | 'length';
  /** The device token of the last user who signed in here; nobody else may read the form. */
  deviceToken: string | null;
}

/** Seconds in which the user can sign in again. */
const HALF_AN_HOUR = 1800;

/** The most bytes read of the body for a visitor. */
const MAX_BODY = 64 * 1024;

/** Length of a cookie that every browser stores, without name and attributes (RFC 6265, 6.1). */
const MAX_COOKIE = 3800;

const USE = { purpose: 'kept form', ownerId: '' };

const keptFormCookie = (maxAge: number) => cookie('vialbook_form', { maxAge });

/** The fields of a body, and whether a file was among them; null if it is too long or not a form. */
async function fieldsOf(request: Request): Promise<Pick<KeptForm, 'fields' | 'lost'> | null> {
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
  // Medium effort, since strangers can trigger this. Base64, because only text is encrypted.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5 };
  const packed = brotliCompressSync(JSON.stringify(kept), { params }).toString('base64');
  return encryptSecret(currentApp().sessionSecret, USE, packed);
}

/**
 * The `Set-Cookie` value that stores a form in the browser, encrypted, until the user has signed in again. The server stores
 * nothing, so that strangers cannot fill it.
 */
export async function keepForm(request: Request, address: string): Promise<string> {
  const deviceToken = await readDeviceCookie(request);
  const read = (await fieldsOf(request)) ?? { fields: [], lost: 'length' as const };
  const sealed = seal({ address, ...read, deviceToken });
  const short =
    sealed.length <= MAX_COOKIE ? sealed : seal({ address, fields: [], lost: 'length', deviceToken });
  return keptFormCookie(HALF_AN_HOUR).serialize(short);
}

/** The form that this browser stores for an address, or null. */
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

/** The `Set-Cookie` values that remove a form this browser stores. */
export async function forgetForm(request: Request): Promise<string[]> {
  const kept = keptFormCookie(0);
  const isThere = request.headers.get('Cookie')?.includes(`${kept.name}=`) ?? false;
  return isThere ? [await kept.serialize('', { maxAge: 0 })] : [];
}
