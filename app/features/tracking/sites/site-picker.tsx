import { SITES, siteName, sinceText, type SiteId } from '#app/domain/tracking/sites.ts';
import { FieldError, errorId } from '#app/ui/fields.tsx';
import { Figure, type MappedSite } from './body-map.tsx';

const VIEWS = [
  { view: 'front', label: 'Front' },
  { view: 'back', label: 'Back' },
] as const;
type View = (typeof VIEWS)[number]['view'];

interface SitePickerProps {
  sites: readonly MappedSite[];
  next: SiteId | null;
  chosen?: string;
  error?: string;
}

const viewOf = (chosen: string | undefined): View => SITES.find(({ id }) => id === chosen)?.view ?? 'front';

/** Chooses the figure to show on narrow screens; hidden where there is room for both. */
function ViewChoice({ initial }: { initial: View }) {
  return (
    <fieldset className="view-choice">
      <legend className="sr-only">Side of the body</legend>
      <div className="segments">
        {VIEWS.map(({ view, label }) => (
          <label key={view}>
            <input
              type="radio"
              name="view"
              value={view}
              id={`view-${view}`}
              defaultChecked={view === initial}
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function OneSide({ view, sites, next, chosen }: { view: View } & Omit<SitePickerProps, 'error'>) {
  const ids = SITES.filter((site) => site.view === view).map(({ id }) => id);
  const shown = sites.filter(({ site }) => ids.includes(site));
  const isOpen = ({ site, isOn }: MappedSite) => isOn || site === chosen;
  return (
    <div className={`body-view body-view-${view}`}>
      <Figure view={view} sites={shown} next={next} isOpen={isOpen} />
      <div className="site-choices">
        {shown.filter(isOpen).map((state) => (
          <label key={state.site} className="choice site-choice" htmlFor={`site-${state.site}`}>
            <input
              type="radio"
              name="site"
              value={state.site}
              id={`site-${state.site}`}
              defaultChecked={state.site === chosen}
            />
            <span>
              {siteName(state.site)}
              <span className="site-since">
                {state.site === next ? `next – ${sinceText(state.days)}` : sinceText(state.days)}
              </span>
            </span>
          </label>
        ))}
      </div>
    </div>
  );
}

/** The body map: a radio group whose picture can be tapped as well. Works by keyboard, by touch and without scripts. */
export function SitePicker({ error, ...map }: SitePickerProps) {
  return (
    <fieldset
      id="site"
      tabIndex={-1}
      className="site-picker"
      aria-describedby={error ? errorId('site') : undefined}
    >
      <legend className="mb-1 font-semibold">Site</legend>
      {error ? <FieldError id="site" error={error} /> : null}
      <ViewChoice initial={viewOf(map.chosen)} />
      <div className="body-views">
        {VIEWS.map(({ view }) => (
          <OneSide key={view} view={view} {...map} />
        ))}
      </div>
      <MapKey />
    </fieldset>
  );
}

const KEY = [
  ['hot', 'used in the last 2 days'],
  ['warm', '3 to 6 days ago'],
  ['cool', 'rested 7 days or more'],
  ['unused', 'never used'],
] as const;

/** What the colours mean; each site shows its days as well. */
function MapKey() {
  return (
    <ul className="map-key">
      {KEY.map(([recency, words]) => (
        <li key={recency}>
          <svg
            viewBox="0 0 16 16"
            width="16"
            height="16"
            aria-hidden="true"
            className={`region region-${recency}`}
          >
            <rect x="1.5" y="1.5" width="13" height="13" rx="3" className="region-shape" />
          </svg>
          {words}
        </li>
      ))}
    </ul>
  );
}
