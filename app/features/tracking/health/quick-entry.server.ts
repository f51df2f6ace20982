import { data } from '@remix-run/node';
import { isAppError } from '#app/domain/errors.ts';
import { addQuickEntry } from './measurement-entry.server.ts';
import { done } from '#app/platform/http/toast.server.ts';
import { formText, readForm } from '#app/platform/http/forms.server.ts';
import type { UserPageArgs } from '#app/platform/http/route-handlers.server.ts';

const PREFIX = 'value.';

/** Most controls that are looked at: nine measures and twenty of one's own. */
const MAX_VALUES = 40;

/** Keeps what the form of measurements holds and goes back to it, or says at each measure what is wrong. */
export async function saveQuickEntry({ request, ctx }: UserPageArgs) {
  const form = await readForm(request);
  const names = [...new Set(form.keys())].filter((name) => name.startsWith(PREFIX)).slice(0, MAX_VALUES);
  const values = Object.fromEntries(
    names.map((name) => [name.slice(PREFIX.length), formText(form, name).slice(0, 60)]),
  );
  const measuredAt = formText(form, 'measuredAt');
  try {
    await addQuickEntry(ctx, { measuredAt, values, saveKey: formText(form, 'saveKey') });
  } catch (error) {
    if (!isAppError(error) || error.code !== 'INVALID_INPUT') throw error;
    const fields = error.fields ?? {};
    const errors = Object.fromEntries(Object.entries(fields).map(([name, [first]]) => [name, first]));
    return data(
      { values, measuredAt, errors, formErrors: error.fields ? [] : [error.message] },
      { status: 400 },
    );
  }
  throw await done('/dashboard/tracking/health', 'Measurements saved');
}
