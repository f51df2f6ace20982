import { MEASUREMENT_UNITS, PREFERRED_DOSE_UNITS, type Profile } from '#app/domain/accounts/profile.ts';
import { SYRINGE_IDS, syringeOf } from '#app/domain/calculator/calculation.ts';
import { ownSyringeText, usualSyringe } from '#app/domain/calculator/own-syringe.ts';
import { action, choiceOption, examples, type Session, userOption, withCommonOptions } from '../command.ts';
import { throughDoor } from '../doors/door.ts';
import { profileDoors } from '../doors/profile.ts';
import type { Io } from '../io.ts';
import { EXIT, writeJson, writeOutcome } from '../output.ts';

/** The fields of a profile as options; the operation validates them. */
type ProfileOptions = { user: string; json?: boolean; deadSpace?: string } & Partial<
  Omit<Profile, 'syringes' | 'deadSpaceMl'>
>;

const LABELS: Readonly<Record<string, string>> = {
  email: '--user',
  name: '--name',
  timeZone: '--time-zone',
  doseUnit: '--dose-unit',
  units: '--units',
  syringe: '--syringe',
  deadSpaceMl: '--dead-space',
};
const label = (field: string): string => LABELS[field] ?? field;

const plain = (text: string): string => text.replace(/\p{Cc}/gu, ' ');

const lines = ({ name, timeZone, doseUnit, units, deadSpaceMl, ...own }: Profile): string[] => [
  `Name: ${name === null ? 'none' : plain(name)}`,
  `Time zone: ${timeZone}`,
  `Dose unit: ${doseUnit}`,
  `Units: ${units}`,
  `Syringe: ${plain(syringeOf(usualSyringe(own)).label)}`,
  ...own.syringes.map((one) => `Own syringe ${one.id}: ${plain(one.name)}, ${ownSyringeText(one)}`),
  `Dead space: ${deadSpaceMl} ml`,
];

async function run(io: Io, options: ProfileOptions): Promise<number> {
  const { user, json, deadSpace, name, timeZone, doseUnit, units, syringe } = options;
  const changes = {
    ...(typeof name === 'string' && { name }),
    ...(timeZone !== undefined && { timeZone }),
    ...(doseUnit !== undefined && { doseUnit }),
    ...(units !== undefined && { units }),
    ...(syringe !== undefined && { syringe }),
    ...(deadSpace !== undefined && { deadSpaceMl: deadSpace }),
  };
  const isChange = Object.keys(changes).length > 0;
  const account = await throughDoor(io, profileDoors(user), (door) => door(isChange ? changes : null));
  const profile: Profile = {
    name: account.name,
    timeZone: account.timeZone,
    doseUnit: account.doseUnit,
    units: account.units,
    syringe: account.syringe,
    syringes: account.syringes,
    deadSpaceMl: account.deadSpaceMl,
  };
  if (json) await writeJson(io, { profile });
  else for (const line of lines(profile)) await writeOutcome(io, `${line}\n`, isChange);
  return EXIT.done;
}

/** Adds `vialbook profile`. */
export function register(session: Session): void {
  const command = session.program
    .command('profile')
    .description('Show an account’s profile, or change parts of it.')
    .addOption(userOption('the account'))
    .option('--name <name>', 'name of the account; an empty text removes it')
    .option('--time-zone <zone>', 'the time zone, such as Europe/Berlin')
    .addOption(choiceOption('--dose-unit <unit>', 'unit for new doses', PREFERRED_DOSE_UNITS))
    .addOption(choiceOption('--units <units>', 'units for measurements', MEASUREMENT_UNITS))
    .option('--syringe <id>', `syringe for drawing doses: ${SYRINGE_IDS.join(', ')}, or the id of an own one`)
    .option(
      '--dead-space <ml>',
      'ml left in the syringe and needle after each injection, 0 for none; included in the stock forecast',
    );
  command.addHelpText(
    'after',
    examples(
      'vialbook profile --user ada@example.org',
      'vialbook profile --user ada@example.org --syringe u100-0.5ml --dead-space 0.03',
    ),
  );
  withCommonOptions(command).action(
    action<ProfileOptions>(session, (options) => run(session.io, options), label),
  );
}
