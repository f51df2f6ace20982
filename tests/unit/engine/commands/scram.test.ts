import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { challenge, makeCredentials, verifyProof } from '#models/engine/commands/scram.ts';

const credentials = makeCredentials('vialbook', 'correct horse');

/** The client's side, straight from RFC 5802 section 3. */
function clientFinal(serverFirst: string, clientFirstBare: string, password: string) {
  const parts = new Map(serverFirst.split(',').map((part) => [part.slice(0, 1), part.slice(2)]));
  const salt = Buffer.from(parts.get('s') ?? '', 'base64');
  const salted = pbkdf2Sync(password, salt, Number(parts.get('i')), 32, 'sha256');
  const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest();
  const clientKey = hmac(salted, 'Client Key');
  const withoutProof = `c=biws,r=${parts.get('r')}`;
  const message = `${clientFirstBare},${serverFirst},${withoutProof}`;
  const signature = hmac(createHash('sha256').update(clientKey).digest(), message);
  const proof = Buffer.from(clientKey.map((byte, index) => byte ^ (signature[index] ?? 0))).toString(
    'base64',
  );
  const expected = `v=${hmac(hmac(salted, 'Server Key'), message).toString('base64')}`;
  return { final: `${withoutProof},p=${proof}`, expected };
}

const bare = 'n=vialbook,r=abcdef';
const begin = () => challenge(credentials, Buffer.from(`n,,${bare}`));

describe('SCRAM-SHA-256', () => {
  it('accepts the right password and proves that the server knows it too', () => {
    const { reply, conversation } = begin();
    const { final, expected } = clientFinal(reply, bare, 'correct horse');
    expect(verifyProof(credentials, conversation, Buffer.from(final))).toBe(expected);
  });

  it('stores no password and no key that a client could use', () => {
    const kept = JSON.stringify(credentials);
    expect(kept).not.toContain('correct');
    expect(makeCredentials('vialbook', 'correct horse').storedKey).not.toEqual(credentials.storedKey);
  });

  it('never gives the same challenge twice', () => {
    expect(begin().reply).not.toBe(begin().reply);
    expect(begin().reply).toMatch(/^r=abcdef.{32},s=.+,i=15000$/);
  });

  it.each([
    ['a wrong password', (reply: string) => clientFinal(reply, bare, 'wrong').final],
    ['a proof for another challenge', () => clientFinal(begin().reply, bare, 'correct horse').final],
    ['no proof', (reply: string) => clientFinal(reply, bare, 'correct horse').final.split(',p=')[0] ?? ''],
    [
      'a proof of another length',
      (reply: string) => `${clientFinal(reply, bare, 'correct horse').final.split(',p=')[0]},p=AAAA`,
    ],
    ['rubbish', () => 'rubbish'],
  ])('refuses %s', (_name, final) => {
    const { reply, conversation } = begin();
    expect(() => verifyProof(credentials, conversation, Buffer.from(final(reply)))).toThrow(
      expect.objectContaining({ code: 18 }),
    );
  });

  it.each(['n,,n=other,r=abc', 'n,,n=vialbook', 'p=tls-unique,,n=vialbook,r=abc', ''])(
    'refuses to start with %j',
    (first) => {
      expect(() => challenge(credentials, Buffer.from(first))).toThrow(expect.objectContaining({ code: 18 }));
    },
  );
});
