/** Where the email leads, as checked URLs. */
export interface Links {
  readonly site: string;
  readonly removal: string;
}
