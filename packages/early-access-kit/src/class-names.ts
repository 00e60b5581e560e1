/** Joins the kit's class and the host's. The kit's comes first, because its stylesheets match the start of `class`. */
export function withHosts(own: string, hosts: string | undefined): string {
  return hosts ? `${own} ${hosts}` : own;
}
