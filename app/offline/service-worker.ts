// The service worker, `/sw.js`. Each imported function adds its own listeners to the scope.
import { sendWaiting } from './offline-sync.ts';
import { SYNC_TAG } from './paths.ts';
import { answerPushes } from './push-events.ts';
import { serveShell, type ShellFile } from './app-shell.ts';
import { finishSignOut } from './sign-out.ts';
import type { PushScope, ShellScope, SyncScope } from './worker-scope.ts';

/** Inserted by the build. */
declare const SHELL_FILES: readonly ShellFile[];
declare const SHELL_VERSION: string;

/** The global object of a service worker. */
declare const self: PushScope & ShellScope & SyncScope;

answerPushes(self);
serveShell(self, { files: SHELL_FILES, version: SHELL_VERSION }, () => finishSignOut());

self.addEventListener('sync', (event) => {
  if (event.tag !== SYNC_TAG) return;
  const sent = sendWaiting().then(({ stopped }) => {
    // A sync that fails is retried by the browser later.
    if (stopped === 'later') throw new Error('not sent yet');
  });
  event.waitUntil(sent);
});
