import { randomUUID } from 'node:crypto';
import {
  BUILT_IN_TEMPLATES,
  templateSources,
  type TemplateFacts,
} from '#app/domain/schedules/schedule-templates.ts';
import { describeSchedule, doseSummary } from '#app/domain/schedules/describe-schedule.ts';
import type { ScheduleValues } from '#app/domain/schedules/schedule-form-schema.ts';
import type { Ctx, SignedInUser } from '#app/platform/access/context.server.ts';
import { getSchedule } from './schedules.server.ts';
import { listTemplates, getTemplateFacts } from './schedule-templates.server.ts';
import { saveTravelChoices, listTravelQuestions, type TravelChoice } from './schedule-travel.server.ts';
import { getVial } from '#app/features/vials/index.server.ts';
import { readForm } from '#app/platform/http/forms.server.ts';
import type { UserPageArgs } from '#app/platform/http/route-handlers.server.ts';
import { newScheduleValues } from './schedule-form.server.ts';

function summaryOf({ frequency, times, ...facts }: TemplateFacts): string {
  const often = frequency === null ? `At ${times.join(', ')}` : describeSchedule({ frequency, times });
  return `${often}, ${doseSummary(facts)}.`;
}

/** What the page of templates shows. */
export async function readTemplatesPage({ ctx }: UserPageArgs) {
  const own = await listTemplates(ctx);
  return {
    own: own.map(({ id, title, facts }) => ({ id, title, words: summaryOf(facts), sources: [] })),
    builtIn: BUILT_IN_TEMPLATES.map((template) => ({
      id: template.id,
      title: template.facts.name,
      words: template.words,
      sources: templateSources(template),
    })),
  };
}

/** What the page shows that keeps a schedule as a template. */
export async function readSaveTemplatePage({ ctx, params }: UserPageArgs) {
  const { id, name } = await getSchedule(ctx, params.id ?? '');
  return { id, name, saveKey: randomUUID() };
}

/** The values of the form for a new schedule: empty, from a template, or for a vial, as the address says. */
export async function readNewScheduleValues(ctx: Ctx, user: SignedInUser, url: URL): Promise<ScheduleValues> {
  const template = url.searchParams.get('template');
  const vialId = url.searchParams.get('vial');
  if (template !== null) {
    const { frequency, reminderLeadMinutes, ...facts } = await getTemplateFacts(ctx, template);
    const lead = reminderLeadMinutes === null ? {} : { reminderLeadMinutes };
    const values = await newScheduleValues(ctx, user, {
      ...facts,
      ...lead,
      ...(frequency === null ? {} : { frequency }),
    });
    return frequency === null ? { ...values, single: { ...values.single, 'frequency.kind': '' } } : values;
  }
  if (vialId === null) return newScheduleValues(ctx, user);
  const vial = await getVial(ctx, vialId);
  return newScheduleValues(ctx, user, { name: vial.name, compoundId: vial.id });
}

/** What the travel page shows. Without a zone in its address it is the one of the profile, where nothing is open. */
export async function readTravelPage({ ctx, url }: UserPageArgs) {
  const zone = url.searchParams.get('zone') ?? ctx.timeZone;
  const questions = await listTravelQuestions(ctx, zone);
  return {
    zone,
    questions: questions.map(({ doses, ...question }) => ({
      ...question,
      doses: doses.map(({ homeInstant: _home, localInstant: _local, ...dose }) => dose),
    })),
  };
}

const PREFIX = 'choice-';

/** Takes the travel form: one choice for each schedule that is named. */
export async function submitTravel({ ctx, url, request }: UserPageArgs): Promise<void> {
  const choices = new Map<string, TravelChoice>();
  for (const [name, value] of await readForm(request)) {
    if (name.startsWith(PREFIX) && (value === 'keep' || value === 'follow'))
      choices.set(name.slice(PREFIX.length), value);
  }
  await saveTravelChoices(ctx, url.searchParams.get('zone') ?? ctx.timeZone, choices);
}
