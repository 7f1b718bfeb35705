// Made by `node codegen/tools/deriveNames.mjs` (g++ 12, clang++-16, -std=c++20 and -std=gnu++20); do not edit.

/** Names that these headers declare at global scope, so that no namespace can have them. */
export const GLOBALS = `
  a64l abort abs accept accept4 access acct acos acosf acosf128 acosf32 acosf32x acosf64 acosf64x acosh
  acoshf acoshf128 acoshf32 acoshf32x acoshf64 acoshf64x acoshl acosl active_reg_t addrinfo addseverity
  adjtime aio_cancel aio_cancel64 aio_error aio_error64 aio_fsync aio_fsync64 aio_init aio_read aio_read64
  aio_return aio_return64 aio_suspend aio_suspend64 aio_write aio_write64 aiocb aiocb64 aioinit alarm
  aligned_alloc alphasort alphasort64 arc4random arc4random_buf arc4random_uniform asctime asctime_r asin
  asinf asinf128 asinf32 asinf32x asinf64 asinf64x asinh asinhf asinhf128 asinhf32 asinhf32x asinhf64
  asinhf64x asinhl asinl asprintf at_quick_exit atan atan2 atan2f atan2f128 atan2f32 atan2f32x atan2f64
  atan2f64x atan2l atanf atanf128 atanf32 atanf32x atanf64 atanf64x atanh atanhf atanhf128 atanhf32
  atanhf32x atanhf64 atanhf64x atanhl atanl atexit atof atoi atol atoll backtrace backtrace_symbols
  backtrace_symbols_fd bcmp bcopy bind bind_textdomain_codeset bindresvport bindresvport6 bindtextdomain
  blkcnt64_t blkcnt_t blksize_t brk bsearch btowc bzero c16rtomb c32rtomb c8rtomb cabs cabsf cabsf128
  cabsf32 cabsf32x cabsf64 cabsf64x cabsl cacos cacosf cacosf128 cacosf32 cacosf32x cacosf64 cacosf64x
  cacosh cacoshf cacoshf128 cacoshf32 cacoshf32x cacoshf64 cacoshf64x cacoshl cacosl caddr_t call_once
  calloc canonicalize canonicalize_file_name canonicalizef canonicalizef128 canonicalizef32 canonicalizef32x
  canonicalizef64 canonicalizef64x canonicalizel carg cargf cargf128 cargf32 cargf32x cargf64 cargf64x cargl
  casin casinf casinf128 casinf32 casinf32x casinf64 casinf64x casinh casinhf casinhf128 casinhf32
  casinhf32x casinhf64 casinhf64x casinhl casinl catan catanf catanf128 catanf32 catanf32x catanf64
  catanf64x catanh catanhf catanhf128 catanhf32 catanhf32x catanhf64 catanhf64x catanhl catanl catclose
  catgets catopen cbrt cbrtf cbrtf128 cbrtf32 cbrtf32x cbrtf64 cbrtf64x cbrtl cc_t ccos ccosf ccosf128
  ccosf32 ccosf32x ccosf64 ccosf64x ccosh ccoshf ccoshf128 ccoshf32 ccoshf32x ccoshf64 ccoshf64x ccoshl
  ccosl ceil ceilf ceilf128 ceilf32 ceilf32x ceilf64 ceilf64x ceill cexp cexpf cexpf128 cexpf32 cexpf32x
  cexpf64 cexpf64x cexpl cfgetispeed cfgetospeed cfmakeraw cfsetispeed cfsetospeed cfsetspeed chdir chmod
  chown chroot cimag cimagf cimagf128 cimagf32 cimagf32x cimagf64 cimagf64x cimagl clearenv clearerr
  clearerr_unlocked clock clock_adjtime clock_getcpuclockid clock_getres clock_gettime clock_nanosleep
  clock_settime clock_t clockid_t clog clog10 clog10f clog10f128 clog10f32 clog10f32x clog10f64 clog10f64x
  clog10l clogf clogf128 clogf32 clogf32x clogf64 clogf64x clogl clone close close_range closedir closefrom
  closelog cmsghdr cnd_broadcast cnd_destroy cnd_init cnd_signal cnd_t cnd_timedwait cnd_wait
  comparison_fn_t confstr conj conjf conjf128 conjf32 conjf32x conjf64 conjf64x conjl connect
  cookie_close_function_t cookie_io_functions_t cookie_read_function_t cookie_seek_function_t
  cookie_write_function_t copy_file_range copysign copysignf copysignf128 copysignf32 copysignf32x
  copysignf64 copysignf64x copysignl cos cosf cosf128 cosf32 cosf32x cosf64 cosf64x cosh coshf coshf128
  coshf32 coshf32x coshf64 coshf64x coshl cosl cpow cpowf cpowf128 cpowf32 cpowf32x cpowf64 cpowf64x cpowl
  cproj cprojf cprojf128 cprojf32 cprojf32x cprojf64 cprojf64x cprojl cpu_set_t creal crealf crealf128
  crealf32 crealf32x crealf64 crealf64x creall creat creat64 crypt csin csinf csinf128 csinf32 csinf32x
  csinf64 csinf64x csinh csinhf csinhf128 csinhf32 csinhf32x csinhf64 csinhf64x csinhl csinl csqrt csqrtf
  csqrtf128 csqrtf32 csqrtf32x csqrtf64 csqrtf64x csqrtl ctan ctanf ctanf128 ctanf32 ctanf32x ctanf64
  ctanf64x ctanh ctanhf ctanhf128 ctanhf32 ctanhf32x ctanhf64 ctanhf64x ctanhl ctanl ctermid ctime ctime_r
  cuserid daddl daddr_t daemon daylight dcgettext dcngettext ddivl dev_t dfmal dgettext difftime dirent
  dirent64 dirfd dirname div div_t dl_find_object dl_iterate_phdr dl_phdr_info dladdr dladdr1 dlclose
  dlerror dlinfo dlmopen dlopen dlsym dlvsym dmull dngettext double_t dprintf drand48 drand48_data drand48_r
  drem dremf dreml dsqrtl dsubl dup dup2 dup3 duplocale dysize eaccess ecvt ecvt_r endgrent endhostent
  endnetent endnetgrent endorder endprotoent endpwent endrpcent endservent endusershell endutxent entry
  environ epoll_create epoll_create1 epoll_ctl epoll_data epoll_data_t epoll_event epoll_pwait epoll_pwait2
  epoll_wait erand48 erand48_r erf erfc erfcf erfcf128 erfcf32 erfcf32x erfcf64 erfcf64x erfcl erff erff128
  erff32 erff32x erff64 erff64x erfl err error error_at_line error_message_count error_one_per_line
  error_print_progname error_t errx euidaccess eventfd eventfd_read eventfd_t eventfd_write execl execle
  execlp execv execve execveat execvp execvpe exit exp exp10 exp10f exp10f128 exp10f32 exp10f32x exp10f64
  exp10f64x exp10l exp2 exp2f exp2f128 exp2f32 exp2f32x exp2f64 exp2f64x exp2l expf expf128 expf32 expf32x
  expf64 expf64x expl explicit_bzero expm1 expm1f expm1f128 expm1f32 expm1f32x expm1f64 expm1f64x expm1l
  f32addf128 f32addf32x f32addf64 f32addf64x f32divf128 f32divf32x f32divf64 f32divf64x f32fmaf128
  f32fmaf32x f32fmaf64 f32fmaf64x f32mulf128 f32mulf32x f32mulf64 f32mulf64x f32sqrtf128 f32sqrtf32x
  f32sqrtf64 f32sqrtf64x f32subf128 f32subf32x f32subf64 f32subf64x f32xaddf128 f32xaddf64 f32xaddf64x
  f32xdivf128 f32xdivf64 f32xdivf64x f32xfmaf128 f32xfmaf64 f32xfmaf64x f32xmulf128 f32xmulf64 f32xmulf64x
  f32xsqrtf128 f32xsqrtf64 f32xsqrtf64x f32xsubf128 f32xsubf64 f32xsubf64x f64addf128 f64addf64x f64divf128
  f64divf64x f64fmaf128 f64fmaf64x f64mulf128 f64mulf64x f64sqrtf128 f64sqrtf64x f64subf128 f64subf64x
  f64xaddf128 f64xdivf128 f64xfmaf128 f64xmulf128 f64xsqrtf128 f64xsubf128 f_owner_ex fabs fabsf fabsf128
  fabsf32 fabsf32x fabsf64 fabsf64x fabsl faccessat fadd faddl fallocate fallocate64 fchdir fchmod fchmodat
  fchown fchownat fclose fcloseall fcntl fcntl64 fcvt fcvt_r fd_mask fd_set fdatasync fdim fdimf fdimf128
  fdimf32 fdimf32x fdimf64 fdimf64x fdiml fdiv fdivl fdopen fdopendir feclearexcept fedisableexcept
  feenableexcept fegetenv fegetexcept fegetexceptflag fegetmode fegetround feholdexcept femode_t fenv_t feof
  feof_unlocked feraiseexcept ferror ferror_unlocked fesetenv fesetexcept fesetexceptflag fesetmode
  fesetround fetestexcept fetestexceptflag feupdateenv fexcept_t fexecve fflush fflush_unlocked ffma ffmal
  ffs ffsl ffsll fgetc fgetc_unlocked fgetgrent fgetgrent_r fgetpos fgetpos64 fgetpwent fgetpwent_r fgets
  fgets_unlocked fgetwc fgetwc_unlocked fgetws fgetws_unlocked file_handle fileno fileno_unlocked finite
  finitef finitel float_t flock flock64 flockfile floor floorf floorf128 floorf32 floorf32x floorf64
  floorf64x floorl fma fmaf fmaf128 fmaf32 fmaf32x fmaf64 fmaf64x fmal fmax fmaxf fmaxf128 fmaxf32 fmaxf32x
  fmaxf64 fmaxf64x fmaximum fmaximum_mag fmaximum_mag_num fmaximum_mag_numf fmaximum_mag_numf128
  fmaximum_mag_numf32 fmaximum_mag_numf32x fmaximum_mag_numf64 fmaximum_mag_numf64x fmaximum_mag_numl
  fmaximum_magf fmaximum_magf128 fmaximum_magf32 fmaximum_magf32x fmaximum_magf64 fmaximum_magf64x
  fmaximum_magl fmaximum_num fmaximum_numf fmaximum_numf128 fmaximum_numf32 fmaximum_numf32x fmaximum_numf64
  fmaximum_numf64x fmaximum_numl fmaximumf fmaximumf128 fmaximumf32 fmaximumf32x fmaximumf64 fmaximumf64x
  fmaximuml fmaxl fmaxmag fmaxmagf fmaxmagf128 fmaxmagf32 fmaxmagf32x fmaxmagf64 fmaxmagf64x fmaxmagl
  fmemopen fmin fminf fminf128 fminf32 fminf32x fminf64 fminf64x fminimum fminimum_mag fminimum_mag_num
  fminimum_mag_numf fminimum_mag_numf128 fminimum_mag_numf32 fminimum_mag_numf32x fminimum_mag_numf64
  fminimum_mag_numf64x fminimum_mag_numl fminimum_magf fminimum_magf128 fminimum_magf32 fminimum_magf32x
  fminimum_magf64 fminimum_magf64x fminimum_magl fminimum_num fminimum_numf fminimum_numf128 fminimum_numf32
  fminimum_numf32x fminimum_numf64 fminimum_numf64x fminimum_numl fminimumf fminimumf128 fminimumf32
  fminimumf32x fminimumf64 fminimumf64x fminimuml fminl fminmag fminmagf fminmagf128 fminmagf32 fminmagf32x
  fminmagf64 fminmagf64x fminmagl fmod fmodf fmodf128 fmodf32 fmodf32x fmodf64 fmodf64x fmodl fmtmsg fmul
  fmull fnmatch fopen fopen64 fopencookie fork fpathconf fpclassify fpos64_t fpos_t fpregset_t fprintf fputc
  fputc_unlocked fputs fputs_unlocked fputwc fputwc_unlocked fputws fputws_unlocked fread fread_unlocked
  free freeaddrinfo freelocale freopen freopen64 frexp frexpf frexpf128 frexpf32 frexpf32x frexpf64
  frexpf64x frexpl fromfp fromfpf fromfpf128 fromfpf32 fromfpf32x fromfpf64 fromfpf64x fromfpl fromfpx
  fromfpxf fromfpxf128 fromfpxf32 fromfpxf32x fromfpxf64 fromfpxf64x fromfpxl fsblkcnt64_t fsblkcnt_t fscanf
  fseek fseeko fseeko64 fsetpos fsetpos64 fsfilcnt64_t fsfilcnt_t fsid_t fsqrt fsqrtl fstat fstat64 fstatat
  fstatat64 fstatvfs fstatvfs64 fsub fsubl fsync ftell ftello ftello64 ftok ftruncate ftruncate64
  ftrylockfile ftw ftw64 funlockfile futimens futimes futimesat fwide fwprintf fwrite fwrite_unlocked
  fwscanf gai_cancel gai_error gai_strerror gai_suspend gaicb gamma gammaf gammal gcvt get_avphys_pages
  get_current_dir_name get_nprocs get_nprocs_conf get_phys_pages getaddrinfo getaddrinfo_a getc
  getc_unlocked getchar getchar_unlocked getcontext getcpu getcwd getdate getdate_err getdate_r getdelim
  getdents64 getdirentries getdirentries64 getdomainname getdtablesize getegid getentropy getenv geteuid
  getgid getgrent getgrent_r getgrgid getgrgid_r getgrnam getgrnam_r getgrouplist getgroups gethostbyaddr
  gethostbyaddr_r gethostbyname gethostbyname2 gethostbyname2_r gethostbyname_r gethostent gethostent_r
  gethostid gethostname getipv4sourcefilter getitimer getline getloadavg getlogin getlogin_r getnameinfo
  getnetbyaddr getnetbyaddr_r getnetbyname getnetbyname_r getnetent getnetent_r getnetgrent getnetgrent_r
  getopt getopt_long getopt_long_only getpagesize getpass getpayload getpayloadf getpayloadf128
  getpayloadf32 getpayloadf32x getpayloadf64 getpayloadf64x getpayloadl getpeername getpgid getpgrp getpid
  getppid getpriority getprotobyname getprotobyname_r getprotobynumber getprotobynumber_r getprotoent
  getprotoent_r getpt getpw getpwent getpwent_r getpwnam getpwnam_r getpwuid getpwuid_r getrandom getresgid
  getresuid getrlimit getrlimit64 getrpcbyname getrpcbyname_r getrpcbynumber getrpcbynumber_r getrpcent
  getrpcent_r getrusage getservbyname getservbyname_r getservbyport getservbyport_r getservent getservent_r
  getsid getsockname getsockopt getsourcefilter getsubopt gettext gettid gettimeofday getuid getumask
  getusershell getutmp getutmpx getutxent getutxid getutxline getw getwc getwc_unlocked getwchar
  getwchar_unlocked getwd gid_t glob glob64 glob64_t glob_pattern_p glob_t globfree globfree64 gmtime
  gmtime_r gnu_dev_major gnu_dev_makedev gnu_dev_minor grantpt greg_t gregset_t group group_filter
  group_member group_req group_source_req gsignal hcreate hcreate_r hdestroy hdestroy_r herror hostent
  hsearch hsearch_data hsearch_r hstrerror htonl htons hypot hypotf hypotf128 hypotf32 hypotf32x hypotf64
  hypotf64x hypotl iconv iconv_close iconv_open iconv_t id_t idtype_t if_freenameindex if_indextoname
  if_nameindex if_nametoindex iface ifaddr ifconf ifmap ifreq ilogb ilogbf ilogbf128 ilogbf32 ilogbf32x
  ilogbf64 ilogbf64x ilogbl imaxabs imaxdiv imaxdiv_t in6_addr in6_pktinfo in6addr_any in6addr_loopback
  in_addr in_addr_t in_pktinfo in_port_t index inet6_opt_append inet6_opt_find inet6_opt_finish
  inet6_opt_get_val inet6_opt_init inet6_opt_next inet6_opt_set_val inet6_option_alloc inet6_option_append
  inet6_option_find inet6_option_init inet6_option_next inet6_option_space inet6_rth_add inet6_rth_getaddr
  inet6_rth_init inet6_rth_reverse inet6_rth_segments inet6_rth_space inet_addr inet_aton inet_lnaof
  inet_makeaddr inet_net_ntop inet_net_pton inet_neta inet_netof inet_network inet_nsap_addr inet_nsap_ntoa
  inet_ntoa inet_ntop inet_pton initgroups initstate initstate_r innetgr ino64_t ino_t insque int16_t
  int32_t int64_t int8_t int_fast16_t int_fast32_t int_fast64_t int_fast8_t int_least16_t int_least32_t
  int_least64_t int_least8_t intmax_t intptr_t ioctl iovec ip6_mtuinfo ip_mreq ip_mreq_source ip_mreqn
  ip_msfilter ip_opts ipc_perm ipv6_mreq iruserok iruserok_af isalnum isalpha isatty isblank iscanonical
  iscntrl isctype isdigit iseqsig isfdtype isfinite isgraph isgreater isgreaterequal isinf isinff isinfl
  isless islessequal islessgreater islower isnan isnanf isnanl isnormal isprint ispunct issignaling isspace
  isunordered isupper iswalnum iswalnum_l iswalpha iswalpha_l iswblank iswblank_l iswcntrl iswcntrl_l
  iswctype iswctype_l iswdigit iswdigit_l iswgraph iswgraph_l iswlower iswlower_l iswprint iswprint_l
  iswpunct iswpunct_l iswspace iswspace_l iswupper iswupper_l iswxdigit iswxdigit_l isxdigit iszero
  itimerspec itimerval j0 j0f j0f128 j0f32 j0f32x j0f64 j0f64x j0l j1 j1f j1f128 j1f32 j1f32x j1f64 j1f64x
  j1l jmp_buf jn jnf jnf128 jnf32 jnf32x jnf64 jnf64x jnl jrand48 jrand48_r key_t kill killpg l64a
  la_activity la_objclose la_objopen la_objsearch la_preinit la_symbind32 la_symbind64 la_version
  la_x32_gnu_pltenter la_x32_gnu_pltexit la_x86_64_gnu_pltenter la_x86_64_gnu_pltexit labs lchmod lchown
  lcong48 lcong48_r lconv ldexp ldexpf ldexpf128 ldexpf32 ldexpf32x ldexpf64 ldexpf64x ldexpl ldiv ldiv_t
  leaf lerp lfind lgamma lgamma_r lgammaf lgammaf128 lgammaf128_r lgammaf32 lgammaf32_r lgammaf32x
  lgammaf32x_r lgammaf64 lgammaf64_r lgammaf64x lgammaf64x_r lgammaf_r lgammal lgammal_r linger link
  link_map linkat lio_listio lio_listio64 listen llabs lldiv lldiv_t llogb llogbf llogbf128 llogbf32
  llogbf32x llogbf64 llogbf64x llogbl llrint llrintf llrintf128 llrintf32 llrintf32x llrintf64 llrintf64x
  llrintl llround llroundf llroundf128 llroundf32 llroundf32x llroundf64 llroundf64x llroundl locale_t
  localeconv localtime localtime_r lockf lockf64 loff_t log log10 log10f log10f128 log10f32 log10f32x
  log10f64 log10f64x log10l log1p log1pf log1pf128 log1pf32 log1pf32x log1pf64 log1pf64x log1pl log2 log2f
  log2f128 log2f32 log2f32x log2f64 log2f64x log2l logb logbf logbf128 logbf32 logbf32x logbf64 logbf64x
  logbl logf logf128 logf32 logf32x logf64 logf64x logl longjmp lrand48 lrand48_r lrint lrintf lrintf128
  lrintf32 lrintf32x lrintf64 lrintf64x lrintl lround lroundf lroundf128 lroundf32 lroundf32x lroundf64
  lroundf64x lroundl lsearch lseek lseek64 lstat lstat64 lutimes madvise makecontext mallinfo mallinfo2
  malloc malloc_info malloc_stats malloc_trim malloc_usable_size mallopt max_align_t mblen mbrlen mbrtoc16
  mbrtoc32 mbrtoc8 mbrtowc mbsinit mbsnrtowcs mbsrtowcs mbstate_t mbstowcs mbtowc mcontext_t memalign
  memccpy memchr memcmp memcpy memfd_create memfrob memmem memmove mempcpy memrchr memset mincore mkdir
  mkdirat mkdtemp mkfifo mkfifoat mknod mknodat mkostemp mkostemp64 mkostemps mkostemps64 mkstemp mkstemp64
  mkstemps mkstemps64 mktemp mktime mlock mlock2 mlockall mmap mmap64 mmsghdr mode_t modf modff modff128
  modff32 modff32x modff64 modff64x modfl mprotect mq_attr mq_close mq_getattr mq_notify mq_open mq_receive
  mq_send mq_setattr mq_timedreceive mq_timedsend mq_unlink mqd_t mrand48 mrand48_r mremap msgbuf msgctl
  msgget msghdr msginfo msglen_t msgqnum_t msgrcv msgsnd msqid_ds msync mtx_destroy mtx_init mtx_lock
  mtx_plain mtx_recursive mtx_t mtx_timed mtx_timedlock mtx_trylock mtx_unlock munlock munlockall munmap
  name_to_handle_at nan nanf nanf128 nanf32 nanf32x nanf64 nanf64x nanl nanosleep nearbyint nearbyintf
  nearbyintf128 nearbyintf32 nearbyintf32x nearbyintf64 nearbyintf64x nearbyintl netent newlocale nextafter
  nextafterf nextafterf128 nextafterf32 nextafterf32x nextafterf64 nextafterf64x nextafterl nextdown
  nextdownf nextdownf128 nextdownf32 nextdownf32x nextdownf64 nextdownf64x nextdownl nexttoward nexttowardf
  nexttowardl nextup nextupf nextupf128 nextupf32 nextupf32x nextupf64 nextupf64x nextupl nfds_t nftw nftw64
  ngettext nice nl_catd nl_item nl_langinfo nl_langinfo_l nlink_t nrand48 nrand48_r ntohl ntohs nullptr_t
  obstack obstack_printf obstack_vprintf off64_t off_t on_exit once_flag open open64 open_by_handle_at
  open_memstream open_wmemstream openat openat64 opendir openlog optarg opterr optind option optopt
  osockaddr passwd pathconf pause pclose perror pid_t pipe pipe2 pkey_alloc pkey_free pkey_get pkey_mprotect
  pkey_set poll pollfd popen posix_fadvise posix_fadvise64 posix_fallocate posix_fallocate64 posix_madvise
  posix_memalign posix_openpt posix_spawn posix_spawn_file_actions_addchdir_np
  posix_spawn_file_actions_addclose posix_spawn_file_actions_addclosefrom_np
  posix_spawn_file_actions_adddup2 posix_spawn_file_actions_addfchdir_np posix_spawn_file_actions_addopen
  posix_spawn_file_actions_addtcsetpgrp_np posix_spawn_file_actions_destroy posix_spawn_file_actions_init
  posix_spawn_file_actions_t posix_spawnattr_destroy posix_spawnattr_getflags posix_spawnattr_getpgroup
  posix_spawnattr_getschedparam posix_spawnattr_getschedpolicy posix_spawnattr_getsigdefault
  posix_spawnattr_getsigmask posix_spawnattr_init posix_spawnattr_setflags posix_spawnattr_setpgroup
  posix_spawnattr_setschedparam posix_spawnattr_setschedpolicy posix_spawnattr_setsigdefault
  posix_spawnattr_setsigmask posix_spawnattr_t posix_spawnp postorder pow powf powf128 powf32 powf32x powf64
  powf64x powl ppoll prctl prctl_mm_map pread pread64 preadv preadv2 preadv64 preadv64v2 preorder printf
  prlimit prlimit64 process_madvise process_mrelease process_vm_readv process_vm_writev profil
  program_invocation_name program_invocation_short_name protoent pselect psiginfo psignal pthread_atfork
  pthread_attr_destroy pthread_attr_getaffinity_np pthread_attr_getdetachstate pthread_attr_getguardsize
  pthread_attr_getinheritsched pthread_attr_getschedparam pthread_attr_getschedpolicy pthread_attr_getscope
  pthread_attr_getsigmask_np pthread_attr_getstack pthread_attr_getstackaddr pthread_attr_getstacksize
  pthread_attr_init pthread_attr_setaffinity_np pthread_attr_setdetachstate pthread_attr_setguardsize
  pthread_attr_setinheritsched pthread_attr_setschedparam pthread_attr_setschedpolicy pthread_attr_setscope
  pthread_attr_setsigmask_np pthread_attr_setstack pthread_attr_setstackaddr pthread_attr_setstacksize
  pthread_attr_t pthread_barrier_destroy pthread_barrier_init pthread_barrier_t pthread_barrier_wait
  pthread_barrierattr_destroy pthread_barrierattr_getpshared pthread_barrierattr_init
  pthread_barrierattr_setpshared pthread_barrierattr_t pthread_cancel pthread_clockjoin_np
  pthread_cond_broadcast pthread_cond_clockwait pthread_cond_destroy pthread_cond_init pthread_cond_signal
  pthread_cond_t pthread_cond_timedwait pthread_cond_wait pthread_condattr_destroy pthread_condattr_getclock
  pthread_condattr_getpshared pthread_condattr_init pthread_condattr_setclock pthread_condattr_setpshared
  pthread_condattr_t pthread_create pthread_detach pthread_equal pthread_exit pthread_getaffinity_np
  pthread_getattr_default_np pthread_getattr_np pthread_getconcurrency pthread_getcpuclockid
  pthread_getname_np pthread_getschedparam pthread_getspecific pthread_join pthread_key_create
  pthread_key_delete pthread_key_t pthread_kill pthread_mutex_clocklock pthread_mutex_consistent
  pthread_mutex_consistent_np pthread_mutex_destroy pthread_mutex_getprioceiling pthread_mutex_init
  pthread_mutex_lock pthread_mutex_setprioceiling pthread_mutex_t pthread_mutex_timedlock
  pthread_mutex_trylock pthread_mutex_unlock pthread_mutexattr_destroy pthread_mutexattr_getprioceiling
  pthread_mutexattr_getprotocol pthread_mutexattr_getpshared pthread_mutexattr_getrobust
  pthread_mutexattr_getrobust_np pthread_mutexattr_gettype pthread_mutexattr_init
  pthread_mutexattr_setprioceiling pthread_mutexattr_setprotocol pthread_mutexattr_setpshared
  pthread_mutexattr_setrobust pthread_mutexattr_setrobust_np pthread_mutexattr_settype pthread_mutexattr_t
  pthread_once pthread_once_t pthread_rwlock_clockrdlock pthread_rwlock_clockwrlock pthread_rwlock_destroy
  pthread_rwlock_init pthread_rwlock_rdlock pthread_rwlock_t pthread_rwlock_timedrdlock
  pthread_rwlock_timedwrlock pthread_rwlock_tryrdlock pthread_rwlock_trywrlock pthread_rwlock_unlock
  pthread_rwlock_wrlock pthread_rwlockattr_destroy pthread_rwlockattr_getkind_np
  pthread_rwlockattr_getpshared pthread_rwlockattr_init pthread_rwlockattr_setkind_np
  pthread_rwlockattr_setpshared pthread_rwlockattr_t pthread_self pthread_setaffinity_np
  pthread_setattr_default_np pthread_setcancelstate pthread_setcanceltype pthread_setconcurrency
  pthread_setname_np pthread_setschedparam pthread_setschedprio pthread_setspecific pthread_sigmask
  pthread_sigqueue pthread_spin_destroy pthread_spin_init pthread_spin_lock pthread_spin_trylock
  pthread_spin_unlock pthread_spinlock_t pthread_t pthread_testcancel pthread_timedjoin_np
  pthread_tryjoin_np pthread_yield ptrdiff_t ptsname ptsname_r putc putc_unlocked putchar putchar_unlocked
  putenv putgrent putpwent puts pututxline putw putwc putwc_unlocked putwchar putwchar_unlocked pvalloc
  pwrite pwrite64 pwritev pwritev2 pwritev64 pwritev64v2 qecvt qecvt_r qelem qfcvt qfcvt_r qgcvt qsort
  qsort_r quad_t quick_exit r_debug r_debug_extended raise rand rand_r random random_data random_r rawmemchr
  rcmd rcmd_af re_compile_fastmap re_compile_pattern re_dfa_t re_match re_match_2 re_pattern_buffer
  re_registers re_search re_search_2 re_set_registers re_set_syntax re_syntax_options read readahead readdir
  readdir64 readdir64_r readdir_r readlink readlinkat readv realloc reallocarray realpath recv recvfrom
  recvmmsg recvmsg reg_errcode_t reg_syntax_t regcomp regerror regex_t regexec regfree register_t regmatch_t
  regoff_t remainder remainderf remainderf128 remainderf32 remainderf32x remainderf64 remainderf64x
  remainderl remap_file_pages remove remque remquo remquof remquof128 remquof32 remquof32x remquof64
  remquof64x remquol rename renameat renameat2 revoke rewind rewinddir rexec rexec_af rindex rint rintf
  rintf128 rintf32 rintf32x rintf64 rintf64x rintl rlim64_t rlim_t rlimit rlimit64 rmdir round roundeven
  roundevenf roundevenf128 roundevenf32 roundevenf32x roundevenf64 roundevenf64x roundevenl roundf roundf128
  roundf32 roundf32x roundf64 roundf64x roundl rpcent rpmatch rresvport rresvport_af rsize_t rusage ruserok
  ruserok_af s_reg_t sa_family_t sbrk scalb scalbf scalbl scalbln scalblnf scalblnf128 scalblnf32
  scalblnf32x scalblnf64 scalblnf64x scalblnl scalbn scalbnf scalbnf128 scalbnf32 scalbnf32x scalbnf64
  scalbnf64x scalbnl scandir scandir64 scandirat scandirat64 scanf sched_get_priority_max
  sched_get_priority_min sched_getaffinity sched_getcpu sched_getparam sched_getscheduler sched_param
  sched_rr_get_interval sched_setaffinity sched_setparam sched_setscheduler sched_yield secure_getenv seed48
  seed48_r seekdir select sem_clockwait sem_close sem_destroy sem_getvalue sem_init sem_open sem_post sem_t
  sem_timedwait sem_trywait sem_unlink sem_wait sembuf semctl semget semid_ds seminfo semop semtimedop send
  sendmmsg sendmsg sendto servent setbuf setbuffer setcontext setdomainname setegid setenv seteuid setgid
  setgrent setgroups sethostent sethostid sethostname setipv4sourcefilter setitimer setlinebuf setlocale
  setlogin setlogmask setnetent setnetgrent setns setpayload setpayloadf setpayloadf128 setpayloadf32
  setpayloadf32x setpayloadf64 setpayloadf64x setpayloadl setpayloadsig setpayloadsigf setpayloadsigf128
  setpayloadsigf32 setpayloadsigf32x setpayloadsigf64 setpayloadsigf64x setpayloadsigl setpgid setpgrp
  setpriority setprotoent setpwent setregid setresgid setresuid setreuid setrlimit setrlimit64 setrpcent
  setservent setsid setsockopt setsourcefilter setstate setstate_r settimeofday setuid setusershell
  setutxent setvbuf shm_info shm_open shm_unlink shmat shmatt_t shmctl shmdt shmget shmid_ds shminfo
  shutdown sig_atomic_t sig_t sigabbrev_np sigaction sigaddset sigaltstack sigandset sigblock sigcontext
  sigdelset sigdescr_np sigemptyset sigevent sigevent_t sigfillset siggetmask sighandler_t sighold sigignore
  siginfo_t siginterrupt sigisemptyset sigismember sigjmp_buf siglongjmp signal signalfd signalfd_siginfo
  signbit signgam significand significandf significandl sigorset sigpause sigpending sigprocmask sigqueue
  sigrelse sigreturn sigset sigset_t sigsetmask sigstack sigsuspend sigtimedwait sigval sigval_t sigwait
  sigwaitinfo sin sincos sincosf sincosf128 sincosf32 sincosf32x sincosf64 sincosf64x sincosl sinf sinf128
  sinf32 sinf32x sinf64 sinf64x sinh sinhf sinhf128 sinhf32 sinhf32x sinhf64 sinhf64x sinhl sinl size_t
  sleep snprintf sockaddr sockaddr_in sockaddr_in6 sockaddr_storage sockaddr_un sockatmark socket socketpair
  socklen_t speed_t splice sprintf sqrt sqrtf sqrtf128 sqrtf32 sqrtf32x sqrtf64 sqrtf64x sqrtl srand srand48
  srand48_r srandom srandom_r sscanf ssignal ssize_t stack_t stat stat64 statvfs statvfs64 statx
  statx_timestamp stpcpy stpncpy strcasecmp strcasecmp_l strcasestr strcat strchr strchrnul strcmp strcoll
  strcoll_l strcpy strcspn strdup strerror strerror_l strerror_r strerrordesc_np strerrorname_np strfmon
  strfmon_l strfromd strfromf strfromf128 strfromf32 strfromf32x strfromf64 strfromf64x strfroml strfry
  strftime strftime_l strlen strncasecmp strncasecmp_l strncat strncmp strncpy strndup strnlen strpbrk
  strptime strptime_l strrchr strsep strsignal strspn strstr strtod strtod_l strtof strtof128 strtof128_l
  strtof32 strtof32_l strtof32x strtof32x_l strtof64 strtof64_l strtof64x strtof64x_l strtof_l strtoimax
  strtok strtok_r strtol strtol_l strtold strtold_l strtoll strtoll_l strtoq strtoul strtoul_l strtoull
  strtoull_l strtoumax strtouq strverscmp strxfrm strxfrm_l suseconds_t swab swapcontext swprintf swscanf
  symlink symlinkat sync sync_file_range syncfs syscall sysconf sysinfo syslog system sysv_signal tan tanf
  tanf128 tanf32 tanf32x tanf64 tanf64x tanh tanhf tanhf128 tanhf32 tanhf32x tanhf64 tanhf64x tanhl tanl
  tcdrain tcflag_t tcflow tcflush tcgetattr tcgetpgrp tcgetsid tcp_ca_state tcp_cookie_transactions tcp_info
  tcp_md5sig tcp_repair_opt tcp_repair_window tcp_seq tcp_zerocopy_receive tcphdr tcsendbreak tcsetattr
  tcsetpgrp tdelete tdestroy tee telldir tempnam termio termios textdomain tfind tgamma tgammaf tgammaf128
  tgammaf32 tgammaf32x tgammaf64 tgammaf64x tgammal tgkill thrd_busy thrd_create thrd_current thrd_detach
  thrd_equal thrd_error thrd_exit thrd_join thrd_nomem thrd_sleep thrd_start_t thrd_success thrd_t
  thrd_timedout thrd_yield time time_t timegm timelocal timer_create timer_delete timer_getoverrun
  timer_gettime timer_settime timer_t timerfd_create timerfd_gettime timerfd_settime times timespec
  timespec_get timespec_getres timeval timex timezone tm tmpfile tmpfile64 tmpnam tmpnam_r tms tolower
  tolower_l totalorder totalorderf totalorderf128 totalorderf32 totalorderf32x totalorderf64 totalorderf64x
  totalorderl totalordermag totalordermagf totalordermagf128 totalordermagf32 totalordermagf32x
  totalordermagf64 totalordermagf64x totalordermagl toupper toupper_l towctrans towctrans_l towlower
  towlower_l towupper towupper_l trunc truncate truncate64 truncf truncf128 truncf32 truncf32x truncf64
  truncf64x truncl tsearch tss_create tss_delete tss_dtor_t tss_get tss_set tss_t ttyname ttyname_r ttyslot
  twalk twalk_r tzname tzset u_char u_int u_int16_t u_int32_t u_int64_t u_int8_t u_long u_quad_t u_short
  ualarm ucontext_t ucred ufromfp ufromfpf ufromfpf128 ufromfpf32 ufromfpf32x ufromfpf64 ufromfpf64x
  ufromfpl ufromfpx ufromfpxf ufromfpxf128 ufromfpxf32 ufromfpxf32x ufromfpxf64 ufromfpxf64x ufromfpxl uid_t
  uint uint16_t uint32_t uint64_t uint8_t uint_fast16_t uint_fast32_t uint_fast64_t uint_fast8_t
  uint_least16_t uint_least32_t uint_least64_t uint_least8_t uintmax_t uintptr_t ulimit ulong umask uname
  ungetc ungetwc unlink unlinkat unlockpt unsetenv unshare updwtmpx useconds_t uselocale ushort usleep
  utimbuf utime utimensat utimes utmp utmpx utmpxname utsname va_list valloc vasprintf vdprintf verr verrx
  versionsort versionsort64 vfork vfprintf vfscanf vfwprintf vfwscanf vhangup vmsplice vprintf vscanf
  vsnprintf vsprintf vsscanf vswprintf vswscanf vsyslog vwarn vwarnx vwprintf vwscanf wait wait3 wait4
  waitid waitpid warn warnx wcpcpy wcpncpy wcrtomb wcscasecmp wcscasecmp_l wcscat wcschr wcschrnul wcscmp
  wcscoll wcscoll_l wcscpy wcscspn wcsdup wcsftime wcsftime_l wcslen wcsncasecmp wcsncasecmp_l wcsncat
  wcsncmp wcsncpy wcsnlen wcsnrtombs wcspbrk wcsrchr wcsrtombs wcsspn wcsstr wcstod wcstod_l wcstof
  wcstof128 wcstof128_l wcstof32 wcstof32_l wcstof32x wcstof32x_l wcstof64 wcstof64_l wcstof64x wcstof64x_l
  wcstof_l wcstoimax wcstok wcstol wcstol_l wcstold wcstold_l wcstoll wcstoll_l wcstombs wcstoq wcstoul
  wcstoul_l wcstoull wcstoull_l wcstoumax wcstouq wcswcs wcswidth wcsxfrm wcsxfrm_l wctob wctomb wctrans
  wctrans_l wctrans_t wctype wctype_l wctype_t wcwidth winsize wint_t wmemchr wmemcmp wmemcpy wmemmove
  wmempcpy wmemset wordexp wordexp_t wordfree wprintf write writev wscanf y0 y0f y0f128 y0f32 y0f32x y0f64
  y0f64x y0l y1 y1f y1f128 y1f32 y1f32x y1f64 y1f64x y1l yn ynf ynf128 ynf32 ynf32x ynf64 ynf64x ynl
`;
