/** Joins the kit's class and the host's. The kit's comes first, because its stylesheets match the start of `class`. */
export function joinClassNames(own: string, host: string | undefined): string {
  return host ? `${own} ${host}` : own;
}
