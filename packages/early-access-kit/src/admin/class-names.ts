import { createContext, useContext } from 'react';
import { joinClassNames } from '../class-names.ts';

/** The host's classes for the parts of the overlay, each added to the kit's own. */
export interface AdminOverlayClassNames {
  /** The container of the box and the dialogs. */
  root?: string | undefined;
  /** The box at the bottom right. */
  counter?: string | undefined;
  counterButton?: string | undefined;
  counterItem?: string | undefined;
  counterLabel?: string | undefined;
  counterValue?: string | undefined;
  /** The `<dialog>` of both the access dialog and the analytics panel. */
  dialog?: string | undefined;
  dialogHeader?: string | undefined;
  dialogTitle?: string | undefined;
  dialogClose?: string | undefined;
  /** The access dialog's form. */
  accessForm?: string | undefined;
  accessLabel?: string | undefined;
  accessInput?: string | undefined;
  accessProblem?: string | undefined;
  accessSubmit?: string | undefined;
  /** The list of all four figures. */
  figures?: string | undefined;
  figure?: string | undefined;
  figureLabel?: string | undefined;
  figureValue?: string | undefined;
  figurePeriod?: string | undefined;
  /** The line with the checkbox that excludes the admin's own visits. */
  ownVisits?: string | undefined;
  ownVisitsBox?: string | undefined;
  /** The footer below the figures: the note and the buttons. */
  overviewEnd?: string | undefined;
  overviewNote?: string | undefined;
  overviewButtons?: string | undefined;
  overviewButton?: string | undefined;
}

const ClassNamesContext = createContext<AdminOverlayClassNames>({});
export const ClassNamesProvider = ClassNamesContext.Provider;

/** Returns a function that joins the kit's class of a part and the host's. */
export function useClassNames(): (own: string, part: keyof AdminOverlayClassNames) => string {
  const classNames = useContext(ClassNamesContext);
  return (own, part) => joinClassNames(own, classNames[part]);
}
