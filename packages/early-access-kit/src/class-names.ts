/** The kit's class of a part, with the host's behind it: stylesheets tell the kit's elements by how `class` begins. */
export function withHosts(own: string, hosts: string | undefined): string {
  return hosts ? `${own} ${hosts}` : own;
}
