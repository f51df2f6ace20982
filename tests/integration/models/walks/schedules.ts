import { refreshScheduleDates } from '#app/features/schedules/dose-generation.server.ts';
import {
  createSchedule,
  deleteSchedule,
  getSchedule,
  listSchedules,
  previewSchedule,
  toggleSchedule,
  updateSchedule,
} from '#app/features/schedules/schedules.server.ts';
import {
  deleteTemplate,
  listTemplates,
  saveAsTemplate,
  getTemplateFacts,
} from '#app/features/schedules/schedule-templates.server.ts';
import { saveTravelChoices, listTravelQuestions } from '#app/features/schedules/schedule-travel.server.ts';
import type { TestDatabase } from '#tests/support/database.ts';
import { BODY, ownerIdOf, premiumPerson } from '#tests/support/schedule-people.ts';

/** Schedules made, looked at, changed, paused and removed. */
export async function keepSchedules(db: TestDatabase): Promise<void> {
  const ctx = await premiumPerson(db);
  const { id } = await createSchedule(ctx, { ...BODY, saveKey: 'key' });
  await createSchedule(ctx, { ...BODY, saveKey: 'key' });
  await previewSchedule(ctx, BODY);
  await listSchedules(ctx);
  await getSchedule(ctx, id);
  await updateSchedule(ctx, id, { times: ['09:00'] });
  await toggleSchedule(ctx, id, { isActive: false });
  await toggleSchedule(ctx, id, { isActive: true });
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
