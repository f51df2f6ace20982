import { SITES, type SiteId } from '#app/domain/tracking/sites.ts';
import { recencyOf, sinceMark } from '#app/domain/tracking/site-recency.ts';
import { DETAILS, HALF, HEAD, INSIDE, OUTLINE } from './outline.ts';
import { pairOf, REGION_SHAPES } from './regions.ts';

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
  /** The site that comes next. */
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

/** The person's left is at the right of somebody who faces them, and at the left of somebody behind them. */
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

/** One of the two figures. A picture: the sites are chosen by the labels laid over it and listed under it. */
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
