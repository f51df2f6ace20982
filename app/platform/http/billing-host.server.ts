import { isLoopbackHost } from '#app/domain/settings/settings.ts';
import { currentApp } from './current-app.server.ts';

/**
 * False for test payments asked for under a name that others reach this server by: nobody but who runs it may get
 * premium for nothing.
 */
export function isBillingHere(request: Request): boolean {
  return currentApp().settings.BILLING !== 'test' || isLoopbackHost(new URL(request.url).hostname);
}
