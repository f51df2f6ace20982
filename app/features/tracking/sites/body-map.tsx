import { type SiteId, SITES, recencyOf, sinceMark } from '#app/domain/tracking/sites.ts';

/**
 * The right half of the figure on a drawing of 200 by 272 units with the middle at x = 0; the left half is its mirror
 * image. It goes from head to knees, because no site is lower.
 */
const OUTLINE = [
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
const INSIDE = 'M12 272 C12 256 9 230 5 204 C4 199 2 197 0 197';

/** Both together, closed along the middle. */
const HALF = `${OUTLINE} L${INSIDE.slice(1)} L0 49 Z`;

const HEAD = 'M0 6 C13 6 18 16 17 28 C16 40 9 52 0 53 C-9 52 -16 40 -17 28 C-18 16 -13 6 0 6 Z';

/** A few lines that tell the front from the back; decoration. */
const DETAILS = {
  front: [
    'M6 71 C16 70 28 73 38 76',
    'M3 104 C14 112 30 110 39 100',
    'M0 152 m-1.2 0 a1.2 1.6 0 1 0 2.4 0 a1.2 1.6 0 1 0 -2.4 0',
    'M40 171 C30 184 16 192 6 198',
  ],
  back: ['M0 66 L0 160', 'M14 84 C26 86 32 96 28 112', 'M0 164 L0 200', 'M2 205 C14 214 30 212 38 200'],
} as const;

/** How a site is drawn on the half of the figure with x above 0; the other half is its mirror image. */
interface RegionShape {
  path: string;
  /** Position of its label. */
  mark: { x: number; y: number; beside?: boolean };
}

/** The shape of each pair of sites, by site id without its side. */
const REGION_SHAPES: Readonly<Record<string, RegionShape>> = {
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
function pairOf(site: SiteId): { pair: string; isLeft: boolean } {
  const isLeft = site.endsWith('-left');
  return { pair: site.replace(/-(left|right)$/, ''), isLeft };
}

/** A site as the map shows it. */
export interface MappedSite {
  site: SiteId;
  isOn: boolean;
  /** Days since its last use; null when it was never used. */
  days: number | null;
}

interface FigureProps {
  view: 'front' | 'back';
  sites: readonly MappedSite[];
  /** The suggested next site. */
  next: SiteId | null;
}

const MIRRORED = 'scale(-1 1)';

function Body({ view }: { view: 'front' | 'back' }) {
  const half = (
    <>
      <path d={HALF} className="body-fill" />
      <path d={OUTLINE} className="body-line" />
      <path d={INSIDE} className="body-line" />
      {DETAILS[view].map((path) => (
        <path key={path} d={path} className="body-detail" />
      ))}
    </>
  );
  return (
    <>
      {half}
      <g transform={MIRRORED}>{half}</g>
      <path d={HEAD} className="body-fill body-line" />
    </>
  );
}

/** Seen from the front, the person's left is on the right; seen from behind, it is on the left. */
function Region({ state, view, next }: { state: MappedSite } & Pick<FigureProps, 'view' | 'next'>) {
  const { pair, isLeft } = pairOf(state.site);
  const shape = REGION_SHAPES[pair];
  if (shape === undefined) return null;
  const mirrored = isLeft !== (view === 'front');
  const { x, y, beside } = shape.mark;
  const anchor = beside ? (mirrored ? 'end' : 'start') : 'middle';
  const isNext = state.site === next;
  const look = state.isOn ? `region-${recencyOf(state.days)}` : 'region-off';
  return (
    <g className={`region ${look} region-of-${state.site}${isNext ? ' region-next' : ''}`}>
      <path d={shape.path} transform={mirrored ? MIRRORED : undefined} className="region-shape" />
      <text
        x={mirrored ? -x : x}
        y={y}
        textAnchor={anchor}
        className={beside ? 'region-mark region-mark-beside' : 'region-mark'}
      >
        {state.isOn ? (isNext ? 'next' : sinceMark(state.days)) : 'off'}
      </text>
    </g>
  );
}

/** One of the two figures. It is only a picture: sites are chosen with the labels over it and in the list below. */
export function Figure({ view, sites, next }: FigureProps) {
  const shown = SITES.filter((site) => site.view === view).map(({ id }) => id);
  const [atLeft, atRight] = view === 'front' ? ['R', 'L'] : ['L', 'R'];
  return (
    <svg viewBox="-100 0 200 272" aria-hidden="true" className="body-figure">
      <Body view={view} />
      <text x={-92} y={16} className="body-side">
        {atLeft}
      </text>
      <text x={92} y={16} textAnchor="end" className="body-side">
        {atRight}
      </text>
      {sites
        .filter(({ site }) => shown.includes(site))
        .map((state) => (
          <Region key={state.site} state={state} view={view} next={next} />
        ))}
    </svg>
  );
}
