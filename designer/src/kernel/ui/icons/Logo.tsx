/** A penstock: the pipe that leads the water down. */
export const Logo = ({ size = 18 }: { size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 20 20" fill="none" aria-hidden className="logo">
    <path d="M1 5.5h8.5a4 4 0 0 1 4 4V14" stroke="var(--accent)" strokeWidth="2.6" />
    <path d="M10.2 13.4h6.6L13.5 18z" fill="var(--accent)" />
    <path d="M1 10h5.5" stroke="var(--accent)" strokeWidth="2.2" opacity=".45" />
    <path d="M16.8 5.5H19" stroke="var(--accent)" strokeWidth="2.2" opacity=".45" />
  </svg>
);
