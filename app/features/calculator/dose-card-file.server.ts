import type { Readable } from 'node:stream';
import { CARD_COLUMNS, type DoseCard } from '#app/domain/calculator/dose-card.ts';
import type { SyringePicture } from '#app/domain/calculator/draw-words.ts';
import { drawQr, type QrDrawing } from '#app/integrations/qr.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { heavyFile } from '#app/platform/heavy-work.server.ts';
import type { PdfBlock, PdfPicture } from '#app/platform/pdf/pdf-drawing.server.ts';
import { PDF_NOTICE, pdfFile } from '#app/platform/pdf/pdf-files.server.ts';
import { BARREL, BOTTOM, END, markPath, positionOf, scaleLabels } from './syringe-scale.ts';

/** A code for more than this has modules too small to scan when printed. */
const LONGEST_LINK = 1000;

/** The QR code of a card's link; null for a link too long to be scanned. */
export const cardQr = (link: string): QrDrawing | null => (link.length > LONGEST_LINK ? null : drawQr(link));

const INK = '#000000';
const FILL = '#dddddd';

const box = (x: number, y: number, width: number, height: number): string =>
  `M${x} ${y}h${width}v${height}h${-width}z`;

/** The syringe of the page, in black on white. */
function syringeOf({ syringe, mark, units, label }: SyringePicture): PdfPicture {
  const x = positionOf(units, syringe);
  const pointer = `M${x - 6} ${BARREL.y - 11}h12l-6 9z`;
  return {
    width: 360,
    height: 92,
    alt: `A syringe that is drawn up to ${label}`,
    shownWidth: 330,
    shapes: [
      { path: box(BARREL.x, BARREL.y, x - BARREL.x, BARREL.height), fill: FILL },
      { path: `M0 ${BARREL.y + 19}h24`, stroke: INK, lineWidth: 1.5 },
      { path: `M22 ${BARREL.y + 13}h8l6-6v24l-6-6h-8z`, fill: INK },
      { path: box(x, BARREL.y + 1, 7, BARREL.height - 2), fill: INK },
      { path: box(x + 7, BARREL.y + 16, 353 - x, 6), stroke: INK },
      { path: `M${BARREL.x} ${BARREL.y}H${END}M${BARREL.x} ${BOTTOM}H${END}`, stroke: INK, lineWidth: 1.5 },
      { path: `M${END} ${BARREL.y - 8}v${BARREL.height + 16}`, stroke: INK, lineWidth: 3 },
      { path: markPath(syringe, mark), stroke: INK, lineWidth: 0.8 },
      { path: pointer, fill: INK },
    ],
    texts: [
      ...scaleLabels(syringe).map((scale) => ({ x: scale.x, y: BOTTOM + 5, size: 11, text: scale.text })),
      { x, y: BARREL.y - 27, size: 13, text: label },
    ],
  };
}

const line = (text: string): PdfBlock => ({ kind: 'line', text });

function blocksOf(card: DoseCard, link: string): PdfBlock[] {
  const qr = cardQr(link);
  const columns = CARD_COLUMNS.map(({ heading, width }) => ({ heading, width, align: 'left' as const }));
  const rows = card.rows.map((row) =>
    CARD_COLUMNS.map(({ key }) => (key === 'dose' ? [row.dose, ...row.others].join(' + ') : row[key])),
  );
  return [
    { kind: 'title', text: card.name ?? 'Dose card' },
    ...card.facts.map(([label, text]) => line(`${label}: ${text}`)),
    { kind: 'heading', text: 'Doses' },
    { kind: 'table', columns },
    { kind: 'rows', rows },
    ...(card.picture === null ? [] : [{ kind: 'picture' as const, picture: syringeOf(card.picture) }]),
    ...card.notes.map(line),
    ...(qr === null
      ? []
      : [
          {
            kind: 'picture' as const,
            picture: {
              ...{ width: qr.size, height: qr.size, shownWidth: 110 },
              alt: 'A QR code that opens this card',
              shapes: [{ path: qr.path, fill: INK }],
              texts: [],
            },
          },
        ]),
    line(PDF_NOTICE),
  ];
}

/**
 * A card as a PDF file.
 * @param link what its QR code opens
 * @throws AppError RATE_LIMITED while another card for the same caller, or too many others, are being created
 */
export function cardFile(
  ctx: Pick<Ctx, 'actor' | 'client' | 'now'>,
  card: DoseCard,
  link: string,
): Promise<Readable> {
  async function* blocks() {
    yield await Promise.resolve(blocksOf(card, link));
  }
  const head = { title: `Dose card${card.name === null ? '' : `: ${card.name}`}`, page: 'A5' as const };
  return heavyFile(ctx, () => pdfFile({ ...head, now: ctx.now() }, blocks()), 'card');
}
