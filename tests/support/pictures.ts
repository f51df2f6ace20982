import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

/** A small picture, noisy so that it does not shrink to nothing. */
export function picture(
  format: 'jpeg' | 'png' | 'webp' = 'jpeg',
  { width = 64, height = 48 } = {},
): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: { r: 200, g: 120, b: 90 } } })
    .toFormat(format)
    .toBuffer();
}

/** A photograph as from a phone: rotated, with location, camera and description in its metadata. */
export function photograph(description = 'A photograph'): Promise<Buffer> {
  return sharp({ create: { width: 80, height: 40, channels: 3, background: '#aa5500' } })
    .withExif({
      IFD0: { Make: 'SecretCamera', Orientation: '6', ImageDescription: description },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '48/1 8/1 0/1',
        GPSLongitudeRef: 'E',
        GPSLongitude: '11/1 34/1 0/1',
      },
    })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** A few kilobytes that claim to be 50,000 by 50,000 pixels. */
export function bomb(): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(50_000, 0);
  header.writeUInt32BE(50_000, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const rows = deflateSync(Buffer.alloc(1_000_000));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A web page that claims to be a picture. */
export const HTML = Buffer.from('<!doctype html><script>alert(document.cookie)</script>');

/** A picture that can contain scripts. */
export const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
