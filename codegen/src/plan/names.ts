/** A binary's file name: `ads-server` -> `ads_server`. */
export const binaryFileName = (name: string): string => name.replaceAll("-", "_");
