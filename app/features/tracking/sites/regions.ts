import type { SiteId } from '#app/domain/tracking/sites.ts';

/** How a site is drawn on the half of the figure with x above 0; the other half is its mirror image. */
export interface RegionShape {
  path: string;
  /** Where its days stand. */
  mark: { x: number; y: number; beside?: boolean };
}

/** The shapes of the pairs: the id without its side. */
export const REGION_SHAPES: Readonly<Record<string, RegionShape>> = {
  'abdomen-upper': {
    path: 'M4 122 H29 Q33 122 32 127 L30.5 145 Q30 149 26 149 H4 Q1.5 149 1.5 146 V125 Q1.5 122 4 122 Z',
    mark: { x: 16, y: 138.5 },
  },
  'abdomen-lower': {
    path: 'M4 154 H27 Q31 154 32 158 L36 174 Q36.5 178 32 180 L20 185 Q16 186 12 184 L4 181 Q1.5 180 1.5 177 V157 Q1.5 154 4 154 Z',
    mark: { x: 17, y: 171 },
  },
  'thigh-front': {
    path: 'M10 208 Q16 202 24 204 Q29 206 29 213 L27 246 Q26 254 20 254 Q14 254 12.5 247 L8 216 Q7.5 211 10 208 Z',
    mark: { x: 18.5, y: 231 },
  },
  'thigh-outer': {
    path: 'M34 200 Q36 194 41 196 Q44.5 198 44.5 206 Q44 226 39.5 242 Q37.5 247 34.5 245 Q32 243 32.5 238 Z',
    mark: { x: 48, y: 226, beside: true },
  },
  deltoid: {
    path: 'M45 76 Q54 76 58 84 Q61 92 60.5 102 Q60 107 55 106 Q49 104 46.5 97 L42.5 83 Q42 76.5 45 76 Z',
    mark: { x: 66, y: 84, beside: true },
  },
  'upper-arm-back': {
    path: 'M51 104 Q56 101 60.5 105 Q64 118 68 130 Q69 136 64 137 Q59 138 57 133 L49.5 112 Q48.5 106.5 51 104 Z',
    mark: { x: 71, y: 118, beside: true },
  },
  ventrogluteal: {
    path: 'M36 156 Q39 158 41 168 L44.5 184 Q45 190 40 190 Q36 190 35 185 L33 163 Q32.5 155 36 156 Z',
    mark: { x: 48, y: 176, beside: true },
  },
  'gluteal-upper-outer': {
    path: 'M8 168 Q10 164 16 164 L24 164 Q30 164 30.5 170 L31.5 182 Q32 189 25 190 L13 191 Q7 191 7 185 Z',
    mark: { x: 19, y: 180.5 },
  },
};

/** The pair a site belongs to, and whether it is the person's left one. */
export function pairOf(site: SiteId): { pair: string; isLeft: boolean } {
  const isLeft = site.endsWith('-left');
  return { pair: site.replace(/-(left|right)$/, ''), isLeft };
}
