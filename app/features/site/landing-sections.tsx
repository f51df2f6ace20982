import { Icon, type IconName } from '#app/ui/icon.tsx';
import { MarginSection } from '#app/ui/margin-section.tsx';
import { startOf, type Site } from '#app/ui/site.ts';
import { Pricing } from './pricing.tsx';

/**
 * The sections below the calculator on the home page. They never change, so only the server renders them and their links
 * are plain ones; the page's scripts do not need them.
 */
export function LandingSections({ site }: { site: Pick<Site, 'origin' | 'isSelling' | 'hasSignUp'> }) {
  const start = startOf(site);
  return (
    <>
      <MarginSection id="features" title="Features">
        <FeatureList title="The calculator, for everyone" features={CALCULATOR} />
        <FeatureList title="The notebook, with an account" features={NOTEBOOK} />
      </MarginSection>
      <MarginSection id="pictures" title="How it looks">
        <div className="grid gap-8">
          {PICTURES.map(({ name, alt, text }) => (
            <figure key={name}>
              <picture>
                <source
                  srcSet={`/pictures/${name}-phone-dark.webp`}
                  media={`${ON_PHONES} and (prefers-color-scheme: dark)`}
                  width={630}
                  height={980}
                />
                <source
                  srcSet={`/pictures/${name}-phone-light.webp`}
                  media={ON_PHONES}
                  width={630}
                  height={980}
                />
                <source srcSet={`/pictures/${name}-dark.webp`} media="(prefers-color-scheme: dark)" />
                <img
                  className="sheet block h-auto max-w-full"
                  src={`/pictures/${name}-light.webp`}
                  alt={alt}
                  width={1100}
                  height={688}
                  loading="lazy"
                  decoding="async"
                />
              </picture>
              <figcaption className="mt-2">{text}</figcaption>
            </figure>
          ))}
        </div>
      </MarginSection>
      {site.isSelling ? <Pricing hasSignUp={site.hasSignUp} /> : null}
      <MarginSection id="coming-soon" title="Coming soon">
        <ul className="grid gap-2">
          {PLANNED.map(({ name, text }) => (
            <li key={name}>
              <span className="font-semibold">{name}</span>
              <span className="text-soft">{` – ${text}`}</span>
            </li>
          ))}
        </ul>
        <a href="/?demo=1" className="btn mt-5">
          See a demo
        </a>
      </MarginSection>
      <MarginSection id="begin" title="Get started">
        <p className="mb-4 max-w-prose">
          {start === null
            ? 'The calculator needs no account. Accounts on this server are given out by its administrator.'
            : 'The calculator needs no account. Create one to keep your calculations and to get reminders.'}
        </p>
        <div className="flex flex-wrap gap-3">
          {start === null ? null : (
            <a href={start.href} className="btn">
              {start.label}
            </a>
          )}
          <a href="/login" className="btn btn-plain">
            Sign in
          </a>
        </div>
      </MarginSection>
    </>
  );
}

/** Where a picture of a desk would be too small to read. */
const ON_PHONES = '(max-width: 39.99rem)';

interface Feature {
  icon: IconName;
  name: string;
  text: string;
}

const CALCULATOR: readonly Feature[] = [
  {
    icon: 'check',
    name: 'Exact to the last digit',
    text: 'Decimal arithmetic with no rounding in between: 2.01 mg in 2 ml is 1.01 mg/ml here, not 1.00.',
  },
  {
    icon: 'calculator',
    name: 'The nearest mark, and what it delivers',
    text: 'Four syringes, the nearest mark on each, and the dose at that mark with its error in percent.',
  },
  {
    icon: 'copy',
    name: 'Every result is a link',
    text: 'Bookmark it, print it, send it: it opens with the same figures. Everything works without JavaScript.',
  },
];

const NOTEBOOK: readonly Feature[] = [
  {
    icon: 'vial',
    name: 'Vials that count down',
    text: 'Each draw is subtracted from its vial. You see what is left, how long it can be used and when it runs out.',
  },
  {
    icon: 'calendar',
    name: 'Today, in order',
    text: 'What is due and what to draw from the open vial. One click logs it, one click undoes it.',
  },
  {
    icon: 'pin',
    name: 'Sites that rotate',
    text: 'A body map that remembers, suggests the next site and says why.',
  },
  {
    icon: 'chart',
    name: 'Charts with their numbers',
    text: 'Adherence, levels, side effects and spending. Each chart comes with a summary, its formula and its table.',
  },
  {
    icon: 'truck',
    name: 'From order to vial',
    text: 'When a parcel arrives, it becomes sealed vials with lot, certificate and price per mg.',
  },
  {
    icon: 'print',
    name: 'A report for your clinician',
    text: 'Any period as a page, on paper, as a PDF, or as a link that expires when you choose.',
  },
];

function FeatureList({ title, features }: { title: string; features: readonly Feature[] }) {
  return (
    <>
      <h3 className="feature-group">{title}</h3>
      <ul className="features">
        {features.map(({ icon, name, text }) => (
          <li key={name}>
            <Icon name={icon} size={22} />
            <div>
              <p className="font-semibold">{name}</p>
              <p className="text-soft">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Screenshots, taken by `scripts/pictures.mjs` from an account with the demo's data. */
const PICTURES = [
  {
    name: 'today',
    alt: 'Today: the day’s doses with their time, amount and units to draw, each with a “Taken” button.',
    text: 'Today shows what is due and how many units to draw from the open vial.',
  },
  {
    name: 'vials',
    alt: 'Vials: how much of each is left, how long it can be used, its concentration and its lot.',
    text: 'Each vial counts down and shows its lot and beyond-use date.',
  },
  {
    name: 'analytics',
    alt: 'Analytics: bars of the doses taken and missed in recent weeks.',
    text: 'Every chart is summed up in a sentence.',
  },
] as const;

/** Planned features. Remove an entry once its page exists. */
const PLANNED = [
  { name: 'More languages', text: 'English is the first' },
  { name: 'Label printers', text: 'vial labels straight to the printer, without the browser’s print dialog' },
] as const;
