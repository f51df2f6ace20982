import { HALF_LIVES, type HoursFigure } from '#app/domain/analytics/half-lives.ts';
import { SYRINGE_IDS, SYRINGES } from '#app/domain/calculator/calculation.ts';
import { BLENDS_SOURCE, blendLabel, COMMON_BLENDS } from '#app/domain/calculator/common-blends.ts';
import { DOSAGE_HINTS } from '#app/domain/calculator/research-reference.ts';
import { RESEARCH_TABLE } from '#app/domain/calculator/research-table.ts';
import { UNUSUAL_LIMITS, USUAL_DOSES } from '#app/domain/doses/dose-warnings.ts';
import { LEAST_MEAN_DAYS, MEAN_DAYS, ON_TIME_PART } from '#app/domain/schedules/occurrences.ts';
import { CITED_FACTORS } from '#app/domain/units/international-units.ts';
import { BUILT_IN_TEMPLATES, templateHints } from '#app/domain/schedules/schedule-templates.ts';
import { REST_DAYS } from '#app/domain/tracking/sites.ts';
import { LOW_SHARE, BEYOND_USE_DAYS } from '#app/domain/vials/vial.ts';
import type { Source } from './source.ts';

/** A figure of the product with its source. */
export interface BuiltInFigure {
  /** What it describes, such as a compound. */
  readonly name: string;
  readonly figure: string;
  readonly source: Source;
}

/** Figures of one kind. */
export interface FigureGroup {
  readonly id: string;
  readonly title: string;
  /** What the figures are used for. */
  readonly use: string;
  readonly figures: readonly BuiltInFigure[];
}

const hoursText = (hours: number): string =>
  hours < 1 ? `${Number((hours * 60).toFixed(1))} min` : `${Number(hours.toFixed(2))} h`;

const rangeText = ({ lowHours, highHours }: HoursFigure): string =>
  lowHours === highHours ? hoursText(lowHours) : `${hoursText(lowHours)} to ${hoursText(highHours)}`;

const SPECIFICATION: Source = {
  title: 'No published label',
  section: 'Research dosages',
  date: '2025',
  finding: 'Part of the product, unchanged.',
  isConfirmed: false,
};

const OWN_RULE: Source = {
  title: 'A rule of this product',
  section: 'No publication',
  date: '2026',
  finding: 'Chosen by us; it blocks nothing.',
  isConfirmed: false,
};

const SYRINGE_STANDARD: Source = {
  title: 'ISO 8537, Sterile single-use syringes, with or without needle, for insulin',
  section: 'Graduated scale',
  date: '2016',
  finding: 'U-100 has 100 units in 1 ml, U-40 has 40.',
  isConfirmed: true,
};

const SCALE: Source = {
  title: 'The scale printed on the barrel',
  section: 'By definition',
  date: '2026',
  finding: 'U-50 has 50 units in 1 ml; barrels marked in ml need no conversion.',
  isConfirmed: true,
};

const SOMATROPIN_STANDARD: Source = {
  title:
    'Bristow and Jespersen, The second international standard for somatropin, Biologicals 29: WHO standard 98/574',
  section: 'Abstract, conclusion iv',
  date: '2001',
  finding:
    'Specific activity defined as 3 IU per mg of somatropin; the European Pharmacopoeia uses the same.',
  isConfirmed: true,
};

const ACTIVITY: Source = {
  title: 'Labels and WHO standards, which give an activity and no mass',
  section: 'Units of the label',
  date: '2026',
  finding: 'IU of these substances are never converted to mg here.',
  isConfirmed: true,
};

const BLEND_LABELS: Source = {
  title: BLENDS_SOURCE,
  section: 'Contents of the vial',
  date: '2026',
  finding: 'Vendors sell other proportions under the same names; you can change each amount.',
  isConfirmed: false,
};

const BEYOND_USE: Source = {
  title:
    'United States Pharmacopeia, general chapter <797> Pharmaceutical Compounding – Sterile Preparations',
  section: 'Multiple-dose containers',
  date: '2023',
  finding: 'At most 28 days after the first entry, unless the maker says otherwise.',
  isConfirmed: true,
};

const US_LABEL = {
  section: '2 Dosage and administration',
  finding: 'Dose steps and maximum dose as on the label.',
  isConfirmed: true,
} as const;

/** The sources of the reference doses, found by the title shown beside a dose. */
const HINT_SOURCES: readonly Source[] = [
  {
    ...US_LABEL,
    title: 'US prescribing information, Ozempic and Wegovy',
    date: 'first approved in 2017 and 2021',
  },
  { ...US_LABEL, title: 'US prescribing information, Ozempic', date: 'first approved in 2017' },
  { ...US_LABEL, title: 'US prescribing information, Wegovy', date: 'first approved in 2021' },
  {
    ...US_LABEL,
    title: 'US prescribing information, Mounjaro and Zepbound',
    date: 'first approved in 2022 and 2023',
  },
  { ...SPECIFICATION, finding: 'No approved label, and no publication that confirms it.' },
];

/** The source of a dosage hint. @throws Error when the source is not described above */
function hintSource(title: string): Source {
  const source = HINT_SOURCES.find((one) => one.title === title);
  if (source === undefined) throw new Error(`No source is described as "${title}"`);
  return source;
}

/** Every built-in figure, taken from the data that the product computes with. */
export const BUILT_IN_FIGURES: readonly FigureGroup[] = [
  {
    id: 'half-lives',
    title: 'Half-lives',
    use: 'For the chart of relative levels. You can set your own.',
    figures: HALF_LIVES.map(({ name, halfLife }) => ({
      name,
      figure: rangeText(halfLife),
      source: halfLife.source,
    })),
  },
  {
    id: 'peaks',
    title: 'Time to peak after a subcutaneous injection',
    use: 'For the same chart. We could not confirm a source for compounds that are not listed.',
    figures: HALF_LIVES.flatMap(({ name, peak }) =>
      peak === null ? [] : [{ name, figure: rangeText(peak), source: peak.source }],
    ),
  },
  {
    id: 'hints',
    title: 'Reference doses',
    use: 'Shown beside the calculator. A research reference, not a recommendation.',
    figures: DOSAGE_HINTS.map(({ name, category, dosageRange, frequency, source }) => ({
      name: `${name}, ${category}`,
      figure: `${dosageRange}, ${frequency}`,
      source: hintSource(source),
    })),
  },
  {
    id: 'research-table',
    title: 'Research dosages',
    use: 'The calculator’s table, unchanged.',
    figures: RESEARCH_TABLE.map(({ compound, vial, doses }) => ({
      name: compound,
      figure: `${vial} vial, ${doses}`,
      source: SPECIFICATION,
    })),
  },
  {
    id: 'blends',
    title: 'Common blends',
    use: 'They fill in the rows of the calculator. Go by the label of your vial.',
    figures: COMMON_BLENDS.map((blend) => {
      const [name = '', figure = ''] = blendLabel(blend).split(': ');
      return { name, figure: `${figure} (${blend.proportion})`, source: BLEND_LABELS };
    }),
  },
  {
    id: 'templates',
    title: 'Built-in schedule templates',
    use: 'Based on the reference doses above.',
    figures: BUILT_IN_TEMPLATES.map((template) => ({
      name: template.facts.name,
      figure: template.words,
      source: hintSource(templateHints(template)[0]?.source ?? SPECIFICATION.title),
    })),
  },
  {
    id: 'syringes',
    title: 'Syringes',
    use: 'To show a draw in units.',
    figures: SYRINGE_IDS.map((id) => {
      const { label, scale, barrelUnits, unitsPerMl, marks } = SYRINGES[id];
      return scale === 'ml'
        ? { name: label, figure: `a mark every ${marks[0]} ml`, source: SCALE }
        : {
            name: label,
            figure: `${barrelUnits} units, ${unitsPerMl} in 1 ml`,
            source: unitsPerMl === 50 ? SCALE : SYRINGE_STANDARD,
          };
    }),
  },
  {
    id: 'international-units',
    title: 'International units',
    use: 'To show a dose in IU as mass, beside the dose. Nothing is calculated with it.',
    figures: [
      ...CITED_FACTORS.map(({ name, iuPerMg }) => ({
        name,
        figure: `${iuPerMg} IU = 1 mg`,
        source: SOMATROPIN_STANDARD,
      })),
      {
        name: 'hCG, menotropin, urofollitropin, follitropin',
        figure: 'never converted: no mass is stated for 1 IU',
        source: ACTIVITY,
      },
    ],
  },
  {
    id: 'rules',
    title: 'Days and limits',
    use: 'For reminders and warnings. They never block anything.',
    figures: [
      { name: 'Beyond-use date', figure: `${BEYOND_USE_DAYS} days after reconstitution`, source: BEYOND_USE },
      { name: 'Rest period of an injection site', figure: `${REST_DAYS} days`, source: OWN_RULE },
      {
        name: 'A vial counts as low',
        figure: `${Number(LOW_SHARE) * 100}% left or less`,
        source: OWN_RULE,
      },
      {
        name: 'On time, in a schedule that counts from the last dose',
        figure: `up to 1/${ON_TIME_PART} of the interval early or late; missed otherwise`,
        source: OWN_RULE,
      },
      {
        name: 'Stock use of a schedule that counts from the last dose',
        figure: `the mean of the last ${MEAN_DAYS} days, once the schedule has run for ${LEAST_MEAN_DAYS}`,
        source: OWN_RULE,
      },
      {
        name: 'An unusual amount',
        figure: `at least ${UNUSUAL_LIMITS.times} × or at most ${UNUSUAL_LIMITS.part} of the scheduled dose or of the median of the last ${USUAL_DOSES} doses; ${UNUSUAL_LIMITS.vialTimes} × what is left in the vial`,
        source: OWN_RULE,
      },
    ],
  },
];
