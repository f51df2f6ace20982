import { useRevalidator } from '@remix-run/react';
import { useEffect, useRef } from 'react';
import type { ReminderView } from '#app/domain/reminders/reminder-view.ts';
import { REMINDERS_PATH, reminderPath } from './paths.ts';
import { mayNotify, showNotification } from './show-notification.ts';

/** How often an open page asks whether something is due, and loads its data anew (specification, sections 4 and 9). */
const CHECK_MS = 60_000;
const RELOAD_MS = 5 * 60_000;

const CHECK_PATH = `${REMINDERS_PATH}/check`;

async function markShown(ids: readonly string[]): Promise<void> {
  const body = new URLSearchParams(ids.map((id) => ['ids', id]));
  await fetch(CHECK_PATH, { method: 'POST', body });
}

async function show({ id, title, message, doseId, type }: ReminderView): Promise<void> {
  const tag = doseId ?? id;
  const requireInteraction = type === 'overdue';
  await showNotification({ title, body: message, tag, requireInteraction, url: reminderPath(id) });
}

/** Shows what is due as notifications of the browser. @returns the ids of what is due */
async function check(): Promise<string[]> {
  const answer = await fetch(CHECK_PATH, { headers: { Accept: 'application/json' } });
  if (!answer.ok) return [];
  const { reminders } = (await answer.json()) as { reminders: ReminderView[] };
  const ids = reminders.map(({ id }) => id);
  if (ids.length > 0 && mayNotify()) {
    await Promise.all(reminders.map(show));
    await markShown(ids);
  }
  return ids;
}

/** Keeps an open page up to date: tells what is due every minute, and loads all data anew every five. */
export function useReminderWatch(): void {
  const { revalidate } = useRevalidator();
  const known = useRef(new Set<string>());
  useEffect(() => {
    const look = () => {
      // Without a connection there is nothing to tell; the next minute asks again.
      check().then(
        (ids) => {
          const isNew = ids.some((id) => !known.current.has(id));
          for (const id of ids) known.current.add(id);
          if (isNew) revalidate();
        },
        () => undefined,
      );
    };
    look();
    const checking = setInterval(look, CHECK_MS);
    const reloading = setInterval(revalidate, RELOAD_MS);
    return () => {
      clearInterval(checking);
      clearInterval(reloading);
    };
  }, [revalidate]);
}
