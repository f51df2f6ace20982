import { ModuleLoadError } from '../connection/load-with-retry.ts';
import { MODULE_TEXTS } from '../connection/texts.ts';
import { LinkButton } from '../ui/button.tsx';
import { MessagePage } from './message-page.tsx';

export const isModuleError = (error: unknown): boolean => error instanceof ModuleLoadError;

/** The code of a page did not come, after all tries: the connection, or a newer version of the application. */
export function ComponentError({ href }: { href: string }) {
  return (
    <MessagePage
      title={MODULE_TEXTS.failed}
      actions={
        <>
          <LinkButton to={href} reloadDocument variant="primary">
            Refresh Page
          </LinkButton>
          <LinkButton to="/dashboard">Back to Dashboard</LinkButton>
        </>
      }
    >
      <p>
        A part of this page could not be loaded. Your connection may be slow, or a new version of the app may
        be there. Nothing you saved is affected.
      </p>
    </MessagePage>
  );
}
