/**
 * The file and C++ form of a name: `GetAd` is `get_ad`, `HTTPGet` is `http_get`, `Md5Sum` is `md5_sum`,
 * `userId` is `user_id`; dashes become underscores. Two names may meet here: a check refuses that.
 */
export const snakeCase = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .replace(/-/g, "_")
    .toLowerCase();

/** The name protobuf gives a field in JSON: underscores dropped, the letter behind each one in upper case. */
export const protoJsonName = (field: string): string =>
  field.replace(/_+([A-Za-z0-9])?/g, (_, letter: string | undefined) => (letter ?? "").toUpperCase());

/** The name of an enum value in the `.proto`: enum values there share the namespace of their enum. */
export const protoValueName = (enumName: string, value: string): string =>
  `${snakeCase(enumName).toUpperCase()}_${value}`;
