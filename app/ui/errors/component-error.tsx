import { MODULE_TEXTS } from '#app/domain/messages/connection-messages.ts';
import { ERROR_WORDS } from '#app/domain/messages/error-messages.ts';
import { ModuleLoadError } from '#app/ui/connection/load-with-retry.ts';
import { LinkButton } from '#app/ui/button.tsx';
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
            {ERROR_WORDS.refresh}
          </LinkButton>
          <LinkButton to="/dashboard">{ERROR_WORDS.toDashboard}</LinkButton>
        </>
      }
    >
      <p>{MODULE_TEXTS.explained}</p>
    </MessagePage>
  );
}
