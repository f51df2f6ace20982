/**
 * The right half of the figure on a drawing of 200 by 272 units with the middle at x = 0; the left half is its mirror
 * image. Head to knees: what lies below has no site.
 */
export const OUTLINE = [
  'M8 49 C8 57 8 61 12 64',
  'C22 69 36 70 46 73',
  'C57 76 61 86 62 96',
  'C64 112 69 124 73 138',
  'C78 154 84 171 88 187',
  'C92 196 94 205 91 213',
  'C89 219 84 220 82 214',
  'C80 207 79 200 78 192',
  'C71 176 63 160 58 142',
  'C53 128 48 117 44 105',
  'C43 117 38 128 35.5 140',
  'C34 150 36 160 40 171',
  'C45 187 46 204 43 224',
  'C40 244 35 256 33 272',
].join(' ');

/** From the knee up the inside of the leg to the middle. */
export const INSIDE = 'M12 272 C12 256 9 230 5 204 C4 199 2 197 0 197';

/** Both together, closed along the middle. */
export const HALF = `${OUTLINE} L${INSIDE.slice(1)} L0 49 Z`;

export const HEAD = 'M0 6 C13 6 18 16 17 28 C16 40 9 52 0 53 C-9 52 -16 40 -17 28 C-18 16 -13 6 0 6 Z';

/** A few lines that tell the front from the back; decoration. */
export const DETAILS = {
  front: [
    'M6 71 C16 70 28 73 38 76',
    'M3 104 C14 112 30 110 39 100',
    'M0 152 m-1.2 0 a1.2 1.6 0 1 0 2.4 0 a1.2 1.6 0 1 0 -2.4 0',
    'M40 171 C30 184 16 192 6 198',
  ],
  back: ['M0 66 L0 160', 'M14 84 C26 86 32 96 28 112', 'M0 164 L0 200', 'M2 205 C14 214 30 212 38 200'],
} as const;
