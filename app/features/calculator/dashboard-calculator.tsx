import { CalculatorScreen, type CalculatorScreenProps } from './calculator-screen.tsx';
import { HistoryToggle, SavedCalculations, type SavedCalculationsProps } from './saved-calculations.tsx';
import { PageTitle } from '#app/ui/page-head.tsx';

interface DashboardCalculatorProps {
  page: Omit<CalculatorScreenProps, 'save'> & { saveMode: boolean; cancelHref: string };
  history: Omit<SavedCalculationsProps, 'path'> & { toggleHref: string };
  saveKey: string;
}

/** The calculator of a signed-in user: saving on top of it, the history under it. */
export function DashboardCalculator({ page: asked, history, saveKey }: DashboardCalculatorProps) {
  const { saveMode, cancelHref, ...page } = asked;
  const { toggleHref, ...saved } = history;
  return (
    <>
      <PageTitle
        actions={<HistoryToggle shown={saved.list !== null} count={saved.count} href={toggleHref} />}
      >
        Reconstitution Calculator
      </PageTitle>
      <CalculatorScreen
        {...page}
        vialHref="/dashboard/vials/new"
        save={saveMode ? { kind: 'open', action: page.path, cancelHref, saveKey } : { kind: 'offer' }}
      />
      <SavedCalculations path={page.path} {...saved} />
    </>
  );
}
