import { LinkButton } from '#app/ui/button.tsx';
import { Notice } from '#app/ui/notice.tsx';

/** Why there is no form: the free plan is full. */
export function PlanLimitNotice({ message }: { message: string }) {
  return (
    <Notice
      tone="info"
      title="The free plan is full"
      role="note"
      actions={
        <>
          <LinkButton variant="primary" to="/upgrade">
            Upgrade to Pro
          </LinkButton>
          <LinkButton to="/dashboard/vials">Back to the vials</LinkButton>
        </>
      }
    >
      <p>{message}</p>
    </Notice>
  );
}
