import { refreshScheduleDates } from '#app/features/schedules/dose-generation.server.ts';
import { pausedLines } from '#app/features/doses/dose-lists.server.ts';
import {
  beginAgain,
  planToBeginAgain,
  createSchedule,
  deleteSchedule,
  getSchedule,
  listSchedules,
  pageOfSchedules,
  previewSchedule,
  setEndsWithVial,
  toggleSchedule,
  updateSchedule,
} from '#app/features/schedules/schedules.server.ts';
import {
  previewSwap,
  swapSchedule,
  undoSwap,
  endPause,
  savePause,
} from '#app/features/schedules/plan-changes.server.ts';
import {
  deleteTemplate,
  listTemplates,
  saveAsTemplate,
  getTemplateFacts,
} from '#app/features/schedules/schedule-templates.server.ts';
import { saveTravelChoices, listTravelQuestions } from '#app/features/schedules/schedule-travel.server.ts';
import { addVial, discardVial } from '#app/features/vials/vials.server.ts';
import type { TestDatabase } from '#tests/support/database.ts';
import { BODY, ownerIdOf, premiumPerson } from '#tests/support/schedule-people.ts';
import { pageThrough } from './pages.ts';

/** Schedules made, looked at, changed, paused and removed. */
export async function keepSchedules(db: TestDatabase): Promise<void> {
  const ctx = await premiumPerson(db);
  const { id } = await createSchedule(ctx, { ...BODY, saveKey: 'key' });
  await createSchedule(ctx, { ...BODY, saveKey: 'key' });
  await previewSchedule(ctx, BODY);
  await listSchedules(ctx);
  await pageThrough((page) => pageOfSchedules(ctx, { ...page, updatedSince: new Date(0) }));
  await getSchedule(ctx, id);
  await updateSchedule(ctx, id, { times: ['09:00'] });
  await toggleSchedule(ctx, id, { isActive: false });
  await toggleSchedule(ctx, id, { isActive: true });
  await savePause(ctx, id, { firstDay: '2090-03-12', lastDay: '2090-03-13' });
  await pausedLines(ctx, ownerIdOf(ctx), '2090-03-12', '2090-03-12');
  await endPause(ctx, id, '2090-03-12');
  const swap = { fromDay: '2090-03-12', name: 'TB-500', confirm: true };
  await previewSwap(ctx, id, swap);
  const { swaps } = await swapSchedule(ctx, id, swap);
  await undoSwap(ctx, id, swaps?.[0]?.id ?? '');
  const ended = await createSchedule(ctx, { ...BODY, startDate: '2090-03-01', endDate: '2090-03-02' });
  await planToBeginAgain(ctx, ended.id);
  await beginAgain(ctx, ended.id, { confirm: true });
  const vial = await addVial(ctx, { name: 'BPC-157', totalAmount: '5', concentration: '2.5' });
  await updateSchedule(ctx, id, { compoundId: vial.id });
  await setEndsWithVial(ctx, id, true);
  await previewSchedule(ctx, { ...BODY, compoundId: vial.id, endsWithVial: true });
  await discardVial(ctx, vial.id);
  await setEndsWithVial(ctx, id, false);
  await refreshScheduleDates(ctx, ownerIdOf(ctx), id);
  await createSchedule(ctx, BODY);
  await saveAsTemplate(ctx, id, { title: 'Mine', saveKey: 'key' });
  const [template] = await listTemplates(ctx);
  await getTemplateFacts(ctx, template?.id ?? '');
  await deleteTemplate(ctx, template?.id ?? '');
  await listTravelQuestions(ctx, 'Asia/Tokyo');
  await saveTravelChoices(ctx, 'Asia/Tokyo', new Map([[id, 'keep']]));
  await saveTravelChoices(ctx, 'Asia/Tokyo', new Map([[id, 'follow']]));
  await deleteSchedule(ctx, id);
}
