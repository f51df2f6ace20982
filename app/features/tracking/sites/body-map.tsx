import { recencyOf, sinceMark, siteName, type SiteId } from '#app/domain/tracking/sites.ts';

/**
 * The right half of the figure on a drawing of 200 by 280 units with the middle at x = 0; the left half is its mirror
 * image. It goes from head to knees, because no site is lower: neck, shoulder, outside of the arm, hand, inside of the
 * arm, waist, hip, outside of the leg.
 */
const OUTLINE = [
  'M9.5 44',
  'C9.5 51 9.5 55 13 58.5',
  'C20 64 32 66 41 69',
  'C51 72 57 80 58.5 92',
  'C59.5 101 61.5 108 64 116',
  'C67 125 70.5 131 73 140',
  'C77 153 80 166 82.5 180',
  'C83.5 186 87.5 191 89.5 199',
  'C91.3 206 92 214 90.8 220',
  'C89.8 225.5 86 226.5 84.3 222.5',
  'C83.2 219.5 82.6 215.5 81.6 211.5',
  'C81.4 215.5 79.6 217.6 77.8 216.2',
  'C75.6 214.2 75 208 75 202',
  'C75 196 75.8 190 74.6 184',
  'C71 171 65 158 59.5 146',
  'C55 136 51.5 125 48.5 114',
  'C47.5 108 46 102 44.5 97',
  'C44 108 40 119 37 129',
  'C35.5 134 35.5 140 37 146',
  'C40 157 43.5 168 44.5 182',
  'C45.5 200 43.5 217 39.5 236',
  'C37 248 35 255 35 264',
  'C35 272 36.5 280 37 292',
].join(' ');

/** From below the knee up the inside of the leg to the middle. */
const INSIDE = ['M13.5 292', 'C12.5 282 13 274 13 265', 'C13 248 9.5 224 5 200', 'C4 194 2.5 190 0 190'].join(
  ' ',
);

/** Both together, closed along the middle. */
const HALF = `${OUTLINE} L${INSIDE.slice(1)} L0 44 Z`;

/** Half of the head with its ear. */
const HEAD = [
  'M0 5',
  'C12 5 18.2 13.5 17.8 25.5',
  'C20 24.5 20.6 28 19.6 31.5',
  'C18.8 34.5 17.8 35.5 16.8 35',
  'C15.5 42 9.5 51.5 0 51.5',
].join(' ');

/** A few lines that tell the front from the back; decoration. */
const DETAILS = {
  front: [
    'M10 66 C18 64.5 30 67 40 73',
    'M1.5 98 C14 104 34 104 42 92',
    'M0 66 V70',
    'M0 138 m-1.1 -1.4 a1.1 1.6 0 1 0 2.2 0 a1.1 1.6 0 1 0 -2.2 0',
    'M41 166 C32 178 18 186 7 190',
    'M17 262 C20 266 27 266 31 262',
  ],
  back: [
    'M0 62 V156',
    'M13 80 C22 80 33 88 32 104 C31 109 25 110 21 106',
    'M0 163 V190',
    'M4 194 C14 203 32 202 41 193',
    'M17 266 C22 263 27 263 31 266',
    'M44.5 97 C44.6 92 43.8 88 42 84',
  ],
} as const;

/** The shape of each pair of sites, by site id without its side, on the half with x above 0. */
const REGION_SHAPES: Readonly<Record<string, string>> = {
  'abdomen-upper':
    'M7.5 106 H28 Q32 106 31.4 110 L29.8 130 Q29.4 134.5 25 134.5 H10.5 C9.5 131 7.5 128.8 4.5 128 Q3 127.6 3 125.5 V110 Q3 106 7.5 106 Z',
  'abdomen-lower':
    'M10.5 139.5 H25.5 Q30 139.5 31 143.5 L34 161 Q34.6 164.6 31.4 166.8 L22 172.6 Q19 174.4 15.5 173.4 L6 170.6 Q3 169.6 3 166.4 V149 Q3 146.6 4.8 146 C7.6 145 9.6 142.8 10.5 139.5 Z',
  'thigh-front':
    'M11 198.6 Q18 195 28 195 Q33 195 33 200.6 Q33 221 28.4 242.4 Q27.4 247 23 247 Q18 247 17 242.4 Q13.4 224 8.2 205 Q7.2 200.6 11 198.6 Z',
  'thigh-outer':
    'M35.6 192.4 Q35.8 188.4 39 188.4 Q42.6 188.4 42.7 193 Q42.8 213 38 233.4 Q37 237.4 34.2 237 Q31.4 236.4 32.2 232 Q35.4 211 35.6 192.4 Z',
  deltoid:
    'M43.4 73 Q50 74.4 53.4 81 Q56 87.6 56.8 97.4 Q56.8 103 52.4 101.4 Q47.4 99.4 45.6 91.4 L41.6 77.6 Q40.4 72.2 43.4 73 Z',
  'upper-arm-back':
    'M50.6 102.4 Q54 98.6 58.2 102.4 Q61 114 65.6 125.6 Q67.2 131 63.8 132.6 Q60 134 58 130 Q53.8 120 50 108.4 Q49 104.6 50.6 102.4 Z',
  ventrogluteal:
    'M34.6 154.6 Q36.2 151 38 155 Q42.2 168 42.8 182.4 Q42.8 186.6 39.4 186.8 Q35.8 186.8 35.4 182.6 Q34 168 34 157 Q34 155.8 34.6 154.6 Z',
  'gluteal-upper-outer':
    'M11 159 H26.4 Q30.4 159 30.7 163 L31.7 180 Q31.6 184.6 27.4 184.6 H11 Q6.6 184.6 6.6 180 V163 Q6.6 159 11 159 Z',
};

/** A site as the map shows it. */
export interface MappedSite {
  site: SiteId;
  isOn: boolean;
  /** Days since its last use; null when it was never used. */
  days: number | null;
}

type View = 'front' | 'back';

/** The pair that a site belongs to, and on which side of the picture it is. */
function placeOf(site: SiteId, view: View): { pair: string; side: 'left' | 'right' } {
  // Seen from the front, the person's left is on the right; seen from behind, it is on the left.
  const isAtLeft = site.endsWith('-left') === (view === 'back');
  return { pair: site.replace(/-(left|right)$/, ''), side: isAtLeft ? 'left' : 'right' };
}

const MIRRORED = 'scale(-1 1)';

function Body({ view }: { view: View }) {
  const half = (
    <>
      <path d={HALF} className="body-fill" />
      <path d={OUTLINE} className="body-line" />
      <path d={INSIDE} className="body-line" />
      {DETAILS[view].map((path) => (
        <path key={path} d={path} className="body-detail" />
      ))}
      <path d={HEAD} className="body-fill body-line" />
    </>
  );
  return (
    <>
      {half}
      <g transform={MIRRORED}>{half}</g>
    </>
  );
}

function Region({ state, view, isNext }: { state: MappedSite; view: View; isNext: boolean }) {
  const { pair, side } = placeOf(state.site, view);
  const look = state.isOn ? `region-${recencyOf(state.days)}` : 'region-off';
  return (
    <g className={`region ${look} at-${state.site}${isNext ? ' region-next' : ''}`}>
      <path
        d={REGION_SHAPES[pair]}
        transform={side === 'left' ? MIRRORED : undefined}
        className="region-shape"
      />
    </g>
  );
}

/**
 * The place of a site on the picture with its mark, which is text of the page, so that it stays readable on a phone. It is
 * a second label of the site's radio button, for touch and mouse; one that can't be chosen is no label.
 */
function Spot({
  state,
  view,
  isNext,
  isOpen,
}: {
  state: MappedSite;
  view: View;
  isNext: boolean;
  isOpen: boolean;
}) {
  const { site, isOn, days } = state;
  const { pair, side } = placeOf(site, view);
  const look = isNext ? ' spot-next' : isOn ? ` spot-${recencyOf(days)}` : ' spot-off';
  const place = `spot spot-${pair} spot-at-${side} at-${site}${look}`;
  const mark = (
    <span className="spot-mark" aria-hidden="true">
      {isNext ? 'next' : isOn ? sinceMark(days) : 'off'}
    </span>
  );
  if (!isOpen) return <span className={place}>{mark}</span>;
  return (
    <label htmlFor={`site-${site}`} className={place}>
      <span className="sr-only" aria-hidden="true">
        {siteName(site)}
      </span>
      {mark}
    </label>
  );
}

interface FigureProps {
  view: View;
  /** The sites of this view. */
  sites: readonly MappedSite[];
  /** The suggested next site. */
  next: SiteId | null;
  /** Whether a site can be chosen. */
  isOpen: (site: MappedSite) => boolean;
}

/** One of the two figures with the sites on it. For the keyboard and screen readers there is the list below. */
export function Figure({ view, sites, next, isOpen }: FigureProps) {
  const sides = view === 'front' ? ['Right', 'Left'] : ['Left', 'Right'];
  return (
    <div className="body-canvas">
      <svg viewBox="-100 0 200 280" aria-hidden="true" className="body-figure">
        <Body view={view} />
        {sites.map((state) => (
          <Region key={state.site} state={state} view={view} isNext={state.site === next} />
        ))}
      </svg>
      <p className="body-sides" aria-hidden="true">
        {sides.map((side) => (
          <span key={side}>{side}</span>
        ))}
      </p>
      {sites.map((state) => (
        <Spot
          key={state.site}
          state={state}
          view={view}
          isNext={state.site === next}
          isOpen={isOpen(state)}
        />
      ))}
    </div>
  );
}
