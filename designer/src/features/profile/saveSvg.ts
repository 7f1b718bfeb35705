import type { Profile } from "@penstock/codegen/contract";
import { flameSvg } from "@penstock/codegen/flame";

/** Hands the flame graph to the browser as a file. */
export function saveSvg(profile: Profile, service: string | undefined): void {
  const address = URL.createObjectURL(new Blob([flameSvg(profile, service)], { type: "image/svg+xml" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = `${profile.binary}.svg`;
  link.click();
  URL.revokeObjectURL(address);
}
