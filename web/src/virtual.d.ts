declare module "virtual:help" {
  export const pages: Readonly<Record<string, import("./help").HelpPage>>;
  /** Addresses of the pictures, by their name below docs. */
  export const pictures: Readonly<Record<string, string>>;
}
