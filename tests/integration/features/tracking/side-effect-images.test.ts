import { randomBytes } from 'node:crypto';
import mongoose from 'mongoose';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IMAGE_QUOTA, MAX_IMAGE_BYTES } from '#app/domain/forms/image-schema.ts';
import {
  addSideEffectImage,
  deleteSideEffectImage,
  readSideEffectImage,
  addSideEffect,
  deleteSideEffect,
  getSideEffect,
} from '#app/features/tracking/side-effects/side-effects.server.ts';
import { openTestDatabase, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { codeOf } from '#tests/support/outcomes.ts';
import { newPerson } from '#tests/support/people.ts';
import { bomb, HTML, photograph, picture, SVG } from '#tests/support/pictures.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase({ env: { RATE_LIMIT_FACTOR: '100' } });
});
afterAll(() => db.dispose());

let people = 0;
async function suffering() {
  const person = await newPerson(db, `images-${(people += 1)}@example.org`, { plan: 'trial' });
  const effect = await addSideEffect(person.ctx, {
    name: 'Rash',
    severity: 2,
    startedAt: '2090-03-09T08:00',
  });
  return { ...person, userId: person.signedIn.user.id, id: effect.id };
}

describe('a picture of a side effect', () => {
  it.each(['jpeg', 'png', 'webp'] as const)('can be %s and comes back in the same format', async (format) => {
    const { ctx, id } = await suffering();
    const image = await addSideEffectImage(ctx, id, await picture(format));
    expect(image).toMatchObject({ contentType: `image/${format}`, width: 64, height: 48 });
    expect((await getSideEffect(ctx, id)).images).toEqual([image]);
    const { bytes, contentType } = await readSideEffectImage(ctx, id, image.id);
    expect(contentType).toBe(`image/${format}`);
    expect((await sharp(bytes).metadata()).format).toBe(format);
    expect(bytes.length).toBe(image.bytes);
  });

  it('is turned upright and loses location, camera and all other metadata', async () => {
    const { ctx, id } = await suffering();
    const sent = await photograph();
    expect(sent.includes('SecretCamera')).toBe(true);
    expect((await sharp(sent).metadata()).orientation).toBe(6);
    const image = await addSideEffectImage(ctx, id, sent);
    const { bytes } = await readSideEffectImage(ctx, id, image.id);
    const { exif, icc, xmp, iptc, orientation, width, height } = await sharp(bytes).metadata();
    expect([exif, icc, xmp, iptc, orientation]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect([width, height]).toEqual([40, 80]);
    expect(bytes.includes('SecretCamera')).toBe(false);
  });

  it('is accepted or refused by its content, not by its declared type', async () => {
    const { ctx, id } = await suffering();
    const png = await picture('png');
    const tries: [string, Buffer, string][] = [
      ['a web page', HTML, 'UNSUPPORTED_MEDIA_TYPE'],
      ['an SVG', SVG, 'UNSUPPORTED_MEDIA_TYPE'],
      ['a GIF', Buffer.from('GIF89a...'), 'UNSUPPORTED_MEDIA_TYPE'],
      ['nothing', Buffer.alloc(0), 'INVALID_INPUT'],
      [
        'a page behind the signature of a JPEG',
        Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), HTML]),
        'INVALID_INPUT',
      ],
      ['half a picture', png.subarray(0, png.length >> 1), 'INVALID_INPUT'],
      ['a decompression bomb', bomb(), 'INVALID_INPUT'],
      ['6 MB', Buffer.concat([png, Buffer.alloc(6 * 1024 * 1024)]), 'PAYLOAD_TOO_LARGE'],
      [
        'a byte too much',
        Buffer.concat([png, Buffer.alloc(MAX_IMAGE_BYTES + 1 - png.length)]),
        'PAYLOAD_TOO_LARGE',
      ],
    ];
    for (const [what, bytes, code] of tries)
      expect(await codeOf(addSideEffectImage(ctx, id, bytes)), what).toBe(code);
    expect((await getSideEffect(ctx, id)).images).toEqual([]);
    expect(await testConnection(db).collection('pictures.chunks').countDocuments({})).toBeGreaterThan(0);
  });

  it('loses data hidden after its end', async () => {
    const { ctx, id } = await suffering();
    const image = await addSideEffectImage(ctx, id, Buffer.concat([await picture('png'), HTML]));
    const { bytes } = await readSideEffectImage(ctx, id, image.id);
    expect(bytes.includes('alert')).toBe(false);
  });

  it('belongs to its owner alone and is deleted with its side effect or on its own', async () => {
    const [owner, other] = [await suffering(), await suffering()];
    const [first, second] = [
      await addSideEffectImage(owner.ctx, owner.id, await picture()),
      await addSideEffectImage(owner.ctx, owner.id, await picture('webp')),
    ];
    expect(await codeOf(readSideEffectImage(other.ctx, owner.id, first.id))).toBe('NOT_FOUND');
    expect(await codeOf(readSideEffectImage(other.ctx, other.id, first.id))).toBe('NOT_FOUND');
    expect(await codeOf(addSideEffectImage(other.ctx, owner.id, await picture()))).toBe('NOT_FOUND');
    expect(await codeOf(deleteSideEffectImage(other.ctx, owner.id, first.id))).toBe('NOT_FOUND');
    await deleteSideEffectImage(owner.ctx, owner.id, first.id);
    expect(await codeOf(readSideEffectImage(owner.ctx, owner.id, first.id))).toBe('NOT_FOUND');
    expect((await getSideEffect(owner.ctx, owner.id)).images.map(({ id }) => id)).toEqual([second.id]);
    await deleteSideEffect(owner.ctx, owner.id);
    expect(await db.repos.pictures.usage(owner.userId)).toEqual({ count: 0, bytes: 0 });
    expect(await db.repos.pictureQuota.get(owner.userId)).toEqual({ count: 0, bytes: 0 });
    expect(
      await testConnection(db).collection('pictures.chunks').countDocuments({ userId: owner.userId }),
    ).toBe(0);
  });

  it('can be read by any GridFS tool', async () => {
    const { ctx, id } = await suffering();
    const noise = randomBytes(900 * 900 * 3);
    const large = await sharp(noise, { raw: { width: 900, height: 900, channels: 3 } })
      .png()
      .toBuffer();
    const image = await addSideEffectImage(ctx, id, large);
    expect(image.bytes).toBeGreaterThan(2 * 255 * 1024);
    const native = testConnection(db).db;
    if (!native) throw new Error('not connected');
    const bucket = new mongoose.mongo.GridFSBucket(native, { bucketName: 'pictures' });
    const parts: Buffer[] = [];
    for await (const part of bucket.openDownloadStream(image.id as never)) parts.push(part as Buffer);
    expect(Buffer.concat(parts).equals((await readSideEffectImage(ctx, id, image.id)).bytes)).toBe(true);
  });
});

describe('the limit on pictures', () => {
  it('is ten for each side effect', async () => {
    const { ctx, id } = await suffering();
    const sent = await picture();
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => codeOf(addSideEffectImage(ctx, id, sent))),
    );
    expect(answers.filter((code) => code === 'done')).toHaveLength(10);
    expect((await getSideEffect(ctx, id)).images).toHaveLength(10);
  });

  it('holds for many uploads at once, and usage that a crash left too high is corrected', async () => {
    const { ctx, id, userId } = await suffering();
    const sent = await picture();
    for (let taken = 0; taken < IMAGE_QUOTA.count - 2; taken += 1)
      expect(await db.repos.pictureQuota.reserve(userId, 1, IMAGE_QUOTA)).toBe(true);
    const raced = await Promise.all(
      Array.from({ length: 6 }, () => db.repos.pictureQuota.reserve(userId, 1, IMAGE_QUOTA)),
    );
    expect(raced.filter(Boolean)).toHaveLength(2);
    // None of that was stored: counting again shows that there is room.
    await addSideEffectImage(ctx, id, sent);
    expect((await db.repos.pictureQuota.get(userId)).count).toBe(1);
    const { bytes } = await db.repos.pictureQuota.get(userId);
    expect(await db.repos.pictureQuota.reserve(userId, IMAGE_QUOTA.bytes - bytes + 1, IMAGE_QUOTA)).toBe(
      false,
    );
    expect(await db.repos.pictureQuota.reserve(userId, IMAGE_QUOTA.bytes - bytes, IMAGE_QUOTA)).toBe(true);
  });
});
