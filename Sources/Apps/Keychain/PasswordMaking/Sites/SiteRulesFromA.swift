// Apple's password rules of sites (github.com/apple/password-manager-resources, MIT),
// as in Firefox ESR 153.8.0 (Mozilla, MPL 2.0; Debian's firefox-esr 153.8.0esr-1~deb12u1),
// of 2025-12-02. Made by packaging/password_rules.py. See SiteRules.

/// The sites from 163.com to jordancu-onlinebanking.org, one in a line: its host, a space, its rules.
enum SiteRulesFromA {
    static let text = ##"""
        163.com minlength: 6; maxlength: 16;
        1800flowers.com minlength: 6; required: lower, upper; required: digit;
        access.service.gov.uk minlength: 10; required: lower; required: upper; required: digit; required: special;
        account.samsung.com minlength: 8; maxlength: 15; required: digit; required: special; required: \##
        upper,lower;
        acmemarkets.com minlength: 8; maxlength: 40; required: upper; required: [!#$%&*@^]; allowed: lower,digit;
        act.org minlength: 8; maxlength: 64; required: lower; required: upper; required: digit; required: \##
        [!#$%&*@^];
        admiral.com minlength: 8; required: digit; required: [- !"#$&'()*+,.:;<=>?@[^_`{|}~]]; allowed: lower, \##
        upper;
        ae.com minlength: 8; maxlength: 25; required: lower; required: upper; required: digit;
        aeon.co.jp minlength: 8; maxlength: 8; max-consecutive: 3; required: digit; required: \##
        upper,lower,[#$+./:=?@[^_|~]];
        aeromexico.com minlength: 8; maxlength: 25; required: lower; required: upper; required: digit;
        aetna.com minlength: 8; maxlength: 20; max-consecutive: 2; required: upper; required: digit; allowed: \##
        lower, [-_&#@];
        airasia.com minlength: 8; maxlength: 15; required: lower; required: upper; required: digit;
        airfrance.com minlength: 8; maxlength: 12; required: lower; required: upper; required: digit; allowed: \##
        [-!#$&+/?@_];
        airfrance.us minlength: 8; maxlength: 12; required: lower; required: upper; required: digit; allowed: \##
        [-!#$&+/?@_];
        ajisushionline.com minlength: 8; required: lower; required: upper; required: digit; allowed: [ !#$%&*?@];
        albertsons.com minlength: 8; maxlength: 40; required: upper; required: [!#$%&*@^]; allowed: lower,digit;
        alelo.com.br minlength: 6; maxlength: 10; required: lower; required: upper; required: digit;
        aliexpress.com minlength: 6; maxlength: 20; allowed: lower, upper, digit;
        alliantcreditunion.com minlength: 8; maxlength: 20; max-consecutive: 3; required: lower, upper; required: \##
        digit; allowed: [!#$*];
        allianz.com.br minlength: 4; maxlength: 4;
        americanexpress.com minlength: 8; maxlength: 20; max-consecutive: 4; required: lower, upper; required: \##
        digit; allowed: [%&_?#=];
        amnh.org minlength: 8; maxlength: 16; required: digit; required: upper,lower; allowed: ascii-printable;
        ana.co.jp minlength: 8; maxlength: 16; required: digit; required: upper,lower;
        anatel.gov.br minlength: 6; maxlength: 15; allowed: lower, upper, digit;
        ancestry.com minlength: 8; required: lower, upper; required: digit;
        andronicos.com minlength: 8; maxlength: 40; required: upper; required: [!#$%&*@^]; allowed: lower,digit;
        angieslist.com minlength: 6; maxlength: 15;
        anthem.com minlength: 8; maxlength: 20; max-consecutive: 3; required: lower, upper; required: digit; \##
        allowed: [!$*?@|];
        app.digiboxx.com minlength: 8; maxlength: 14; required: lower; required: upper; required: digit; \##
        required: [@$!%*?&];
        app.digio.in minlength: 8; maxlength: 15;
        app.parkmobile.io minlength: 8; maxlength: 25; required: lower; required: upper; required: digit; \##
        required: [!@#$%^&];
        app8menu.com minlength: 8; required: lower; required: upper; required: digit; required: [@$!%*?&];
        apple.com minlength: 8; maxlength: 63; required: lower; required: upper; required: digit; allowed: \##
        ascii-printable;
        appleloan.citizensbank.com minlength: 10; maxlength: 20; max-consecutive: 2; required: lower; required: \##
        upper; required: digit; required: [!#$%@^_];
        areariservata.bancaetica.it minlength: 8; maxlength: 10; required: lower; required: upper; required: \##
        digit; required: [!#&*+/=@_];
        artscyclery.com minlength: 6; maxlength: 19;
        astonmartinf1.com minlength: 8; maxlength: 16; required: lower; required: upper; required: digit; \##
        allowed: special;
        auth.readymag.com minlength: 8; maxlength: 128; required: lower; required: upper; allowed: special;
        auth.zennioptical.com minlength: 8; maxlength: 14; required: lower; required: upper; required: digit; \##
        allowed: special;
        autify.com minlength: 8; required: lower; required: upper; required: digit; required: \##
        [!"#$%&'()*+,./:;<=>?@[^_`{|}~]];
        axa.de minlength: 8; maxlength: 65; required: lower; required: upper; required: digit; allowed: \##
        [-!"$%&/()=?;:_+*'#];
        baidu.com minlength: 6; maxlength: 14;
        balduccis.com minlength: 8; maxlength: 40; required: upper; required: [!#$%&*@^]; allowed: lower,digit;
        bancochile.cl minlength: 8; maxlength: 8; required: lower; required: upper; required: digit;
        bankofamerica.com minlength: 8; maxlength: 20; max-consecutive: 3; required: lower; required: upper; \##
        required: digit; allowed: [-@#*()+={}/?~;,._];
        battle.net minlength: 8; maxlength: 16; required: lower, upper; allowed: digit, special;
        bcassessment.ca minlength: 8; maxlength: 14;
        belkin.com minlength: 8; required: lower, upper; required: digit; required: [$!@~_,%&];
        benefitslogin.discoverybenefits.com minlength: 10; required: upper; required: digit; required: \##
        [!#$%&*?@]; allowed: lower;
        benjerry.com required: upper; required: upper; required: digit; required: digit; required: special; \##
        required: special; allowed: lower;
        bestbuy.com minlength: 20; required: lower; required: upper; required: digit; required: special;
        bhphotovideo.com maxlength: 15;
        bilibili.com maxlength: 16;
        billerweb.com minlength: 8; max-consecutive: 2; required: digit; required: upper,lower;
        biovea.com maxlength: 19;
        bitly.com minlength: 6; required: lower; required: upper; required: digit; required: \##
        [`!@#$%^&*()+~{}'";:<>?]];
        bkvenergy.com minlength: 8; maxlength: 12; required: upper; required: lower; required: digit; required: \##
        [-~!@#$%^&*()_=+,<.> ];
        blackwells.co.uk minlength: 8; maxlength: 30; allowed: upper,lower,digit;
        bloomingdales.com minlength: 7; maxlength: 16; required: lower, upper; required: digit; required: \##
        [`!@#$%^&*()+~{}'";:<>?]];
        bluesguitarunleashed.com allowed: lower, upper, digit, [!$#@];
        bochk.com minlength: 8; maxlength: 12; max-consecutive: 3; required: lower; required: upper; required: \##
        digit; allowed: [#$%&()*+,.:;<=>?@_];
        box.com minlength: 6; maxlength: 20; required: lower; required: upper; required: digit; required: digit;
        bpl.bibliocommons.com minlength: 4; maxlength: 4; required: digit;
        brighthorizons.com minlength: 8; maxlength: 16;
        callofduty.com minlength: 8; maxlength: 20; max-consecutive: 2; required: lower, upper; required: digit;
        candyrect.com minlength: 8; maxlength: 15; required: lower; required: upper; required: digit;
        capitalone.com minlength: 8; maxlength: 32; required: lower, upper; required: digit; allowed: \##
        [-_./\@$*&!#];
        cardbenefitservices.com minlength: 7; maxlength: 100; required: lower, upper; required: digit;
        cardcash.com minlength: 8; required: lower; required: upper; required: digit; required: [!$%&*?@];
        carrefour.it minlength: 8; required: lower; required: upper; required: digit; required: [!#$%&*?@_];
        carrsqc.com minlength: 8; maxlength: 40; required: upper; required: [!#$%&*@^]; allowed: lower,digit;
        carte-mobilite-inclusion.fr minlength: 12; maxlength: 30; required: lower; required: upper; required: \##
        digit;
        cathaypacific.com minlength: 8; maxlength: 20; required: upper; required: digit; required: [!#$*^]; \##
        allowed: lower;
        cb2.com minlength: 9; required: lower, upper; required: digit; required: [!#*_%.$];
        ccs-grp.com minlength: 8; maxlength: 16; required: digit; required: upper,lower; allowed: \##
        [-!#$%&'+./=?\^_`{|}~];
        cecredentialtrust.com minlength: 12; required: lower; required: upper; required: digit; required: \##
        [!#$%&*@^];
        charlie.mbta.com minlength: 10; required: lower; required: upper; required: digit; required: [!#$%@^];
        chase.com minlength: 8; maxlength: 32; max-consecutive: 2; required: lower, upper; required: digit; \##
        required: [!#$%+/=@~];
        cigna.co.uk minlength: 8; maxlength: 12; required: lower; required: upper; required: digit;
        cigna.com minlength: 8; maxlength: 12; required: upper; required: digit; required: [_!.&@]; allowed: \##
        lower;
        citi.com minlength: 8; maxlength: 64; max-consecutive: 2; required: digit; required: upper; required: \##
        lower; required: [-~`!@#$%^&*()_\/|];
        claimlookup.com minlength: 8; maxlength: 16; required: lower; required: upper; required: digit; required: \##
        [@#$%^&+=!];
        clarksoneyecare.com minlength: 9; allowed: lower; required: upper; required: digit; required: \##
        [~!@#$%^&*()_+{}|;,.<>?[]];
        claro.com.br minlength: 8; required: lower; allowed: upper, digit, [-!@#$%&*_+=<>];
        classmates.com minlength: 6; maxlength: 20; allowed: lower, upper, digit, [!@#$%^&*];
        clegc-gckey.gc.ca minlength: 8; maxlength: 16; required: lower, upper, digit;
        clien.net minlength: 5; required: lower, upper; required: digit;
        cogmembers.org minlength: 8; maxlength: 14; required: upper; required: digit; allowed: lower;
        collectivehealth.com minlength: 8; required: lower; required: upper; required: digit;
        comcastpaymentcenter.com minlength: 8; maxlength: 20; max-consecutive: 2;required: lower, upper; \##
        required: digit;
        comed.com minlength: 8; maxlength: 16; required: lower; required: upper; required: digit; allowed: \##
        [-~!@#$%^&*_+=`|(){}[:;"'<>,.?/\]];
        commerzbank.de minlength: 5; maxlength: 8; required: lower, upper; required: digit;
        consorsbank.de minlength: 5; maxlength: 5; required: lower, upper, digit;
        consorsfinanz.de minlength: 6; maxlength: 15; allowed: lower, upper, digit, [-.];
        costco.com minlength: 8; maxlength: 16; required: lower, upper; allowed: digit, \##
        [-!#$%&'()*+/:;=?@[^_`{|}~]];
        coursera.com minlength: 8; maxlength: 72;
        cox.com minlength: 8; maxlength: 24; required: digit; required: upper,lower; allowed: [!#$%()*@^];
        crateandbarrel.com minlength: 9; maxlength: 64; required: lower; required: upper; required: digit; \##
        required: [!"#$%&()*,.:<>?@^_{|}];
        crowdgen.com minlength: 8; maxlength: 16; required: lower; required: upper; required: digit; required: \##
        [!#$%&()*+=@^_];
        cvs.com minlength: 8; maxlength: 25; required: lower, upper; required: digit; required: [!@#$%^&*()];
        dailymail.co.uk minlength: 5; maxlength: 15;
        dan.org minlength: 8; maxlength: 25; required: lower; required: upper; required: digit; required: \##
        [!@$%^&*];
        danawa.com minlength: 8; maxlength: 21; required: lower, upper; required: digit; required: [!@$%^&*];
        darty.com minlength: 8; required: lower; required: upper; required: digit;
        dbs.com.hk minlength: 8; maxlength: 30; required: lower; required: upper; required: digit;
        decluttr.com minlength: 8; maxlength: 45; required: lower; required: upper; required: digit;
        delta.com minlength: 8; maxlength: 20; required: lower; required: upper; required: digit;
        deutsche-bank.de minlength: 5; maxlength: 5; required: lower, upper, digit;
        devstore.cn minlength: 6; maxlength: 12;
        dickssportinggoods.com minlength: 8; required: lower; required: upper; required: digit; required: \##
        [!#$%&*?@^];
        dkb.de minlength: 8; maxlength: 38; required: lower, upper; required: digit; allowed: [-!$%&/()=?+#,.:];
        dmm.com minlength: 4; maxlength: 16; required: lower; required: upper; required: digit;
        dodgeridge.com minlength: 8; maxlength: 12; required: lower; required: upper; required: digit;
        dowjones.com maxlength: 15;
        ea.com minlength: 8; maxlength: 64; required: lower; required: upper; required: digit; allowed: special;
        easycoop.com minlength: 8; required: upper; required: special; allowed: lower, digit;
        easyjet.com minlength: 6; maxlength: 20; required: lower; required: upper; required: digit; required: [-];
        ebrap.org minlength: 15; required: lower; required: lower; required: upper; required: upper; required: \##
        digit; required: digit; required: [-!@#$%^&*()_+|~=`{}[:";'?,./.]]; required: \##
        [-!@#$%^&*()_+|~=`{}[:";'?,./.]];
        ecompanystore.com minlength: 8; maxlength: 16; max-consecutive: 2; required: lower; required: upper; \##
        required: digit; required: [#$%*+.=@^_];
        eddservices.edd.ca.gov minlength: 8; maxlength: 12; required: lower; required: upper; required: digit; \##
        required: [!@#$%^&*()];
        edistrict.kerala.gov.in minlength: 5; maxlength: 15; required: lower; required: upper; required: digit; \##
        required: [!@#$];
        empower-retirement.com minlength: 8; maxlength: 16;
        epicgames.com minlength: 7; required: lower; required: upper; required: digit; required: \##
        [-!"#$%&'()*+,./:;<=>?@[^_`{|}~]];
        epicmix.com minlength: 8; maxlength: 16;
        equifax.com minlength: 8; maxlength: 20; required: lower; required: upper; required: digit; required: \##
        [!$*+@];
        essportal.excelityglobal.com minlength: 6; maxlength: 8; allowed: lower, upper, digit;
        ettoday.net minlength: 6; maxlength: 12;
        examservice.com.tw minlength: 6; maxlength: 8;
        expertflyer.com minlength: 5; maxlength: 16; required: lower, upper; required: digit;
        extraspace.com minlength: 8; maxlength: 20; allowed: lower; required: upper, digit, [!#$%&*?@];
        ezpassva.com minlength: 8; maxlength: 16; required: lower; required: upper; required: digit; required: \##
        special;
        fc2.com minlength: 8; maxlength: 16;
        fccaccessonline.com minlength: 8; maxlength: 14; max-consecutive: 3; required: lower; required: upper; \##
        required: digit; required: [!#$%*^_];
        fedex.com minlength: 8; max-consecutive: 3; required: lower; required: upper; required: digit; allowed: \##
        [-!@#$%^&*_+=`|(){}[:;,.?]];
        fidelity.com minlength: 6; maxlength: 20; required: lower; required: upper; required: digit; required: \##
        [-!$%+,./:;=?@^_|]; max-consecutive: 2;
        flysas.com minlength: 8; maxlength: 14; required: lower; required: upper; required: digit; required: \##
        [-~!@#$%^&_+=`|(){}[:"'<>,.?]];
        fnac.com minlength: 8; required: lower; required: upper; required: digit;
        fuelrewards.com minlength: 8; maxlength: 16; allowed: upper,lower,digit,[!#$%@];
        gamestop.com minlength: 8; maxlength: 225; required: lower; required: upper; required: digit; required: \##
        [!@#$%];
        gap.com minlength: 8; maxlength: 24; required: lower; required: upper; required: digit; required: \##
        [-!@#$%^&*()_+];
        garmin.com minlength: 8; required: lower; required: upper; required: digit;
        getflywheel.com minlength: 7; maxlength: 72;
        girlscouts.org minlength: 8; maxlength: 16; required: lower; required: upper; required: digit; allowed: \##
        [$#!];
        github.com minlength: 8; required: lower, digit; allowed: unicode;
        gmx.net minlength: 8; maxlength: 40; allowed: lower, upper, digit, [-<=>~!|()@#{}$%,.?^'&*_+`:;"[]];
        gocurb.com minlength: 8; required: lower; required: upper; required: digit; required: [$%&#*?!@^];
        google.com minlength: 8; allowed: lower, upper, digit, [-!"#$%&'()*+,./:;<=>?@[^_{|}~]];
        guardiananytime.com minlength: 8; maxlength: 50; max-consecutive: 2; required: lower; required: upper; \##
        required: digit, [-~!@#$%^&*_+=`|(){}[:;,.?]];
        gwl.greatwestlife.com minlength: 8; required: lower; required: upper; required: digit; required: \##
        [-!#$%_=+<>];
        haggen.com minlength: 8; maxlength: 40; required: upper; required: [!#$%&*@^]; allowed: lower,digit;
        hangseng.com minlength: 8; maxlength: 30; required: lower; required: upper; required: digit;
        hawaiianairlines.com maxlength: 16;
        hertz-japan.com minlength: 8; maxlength: 30; max-consecutive: 3; required: lower; required: upper; \##
        required: digit; required: [#$%^&!@];
        hertz-kuwait.com minlength: 8; maxlength: 30; max-consecutive: 3; required: lower; required: upper; \##
        required: digit; required: [#$%^&!@];
        hertz-saudi.com minlength: 8; maxlength: 30; max-consecutive: 3; required: lower; required: upper; \##
        required: digit; required: [#$%^&!@];
        hertz.at minlength: 8; maxlength: 30; max-consecutive: 3; required: lower; required: upper; required: \##
        digit; required: [#$%^&!@];
        hertz.be minlength: 8; maxlength: 30; max-consecutive: 3; required: lower; required: upper; required: \##
        digit; required: [#$%^&!@];
        hertz.bh minlength: 8; maxlength: 30; max-consecutive: 3; required: lower; required: upper; required: \##
        digit; required: [#$%^&!@];
        hertz.ca minlength: 8; maxlength: 30; max-consecutive: 3; required: lower; required: upper; required: \##
        digit; required: [#$%^&!@];
        hertz.ch minlength: 8; maxlength: 30; max-consecutive: 3; required: lower; required: upper; required: \##
        digit; required: [#$%^&!@];
        hertz.cn minlength: 8; maxlength: 30; max-consecutive: 3; required: lower; required: upper; required: \##
        digit; required: [#$%^&!@];
        hertz.co.ao minlength: 8; maxlength: 30; max-consecutive: 3; required: lower; required: upper; required: \##
        digit; required: [#$%^&!@];
        hertz.co.id minlength: 8; maxlength: 30; max-consecutive: 3; required: lower; required: upper; required: \##
        digit; required: [#$%^&!@];
        hertz.co.kr minlength: 8; maxlength: 30; max-consecutive: 3; required: lower; required: upper; required: \##
        digit; required: [#$%^&!@];
        hertz.co.nz minlength: 8; maxlength: 30; max-consecutive: 3; required: lower; required: upper; required: \##
        digit; required: [#$%^&!@];
        hertz.co.th minlength: 8; maxlength: 30; max-consecutive: 3; required: lower; required: upper; required: \##
        digit; required: [#$%^&!@];
        hertz.co.uk minlength: 8; maxlength: 30; max-consecutive: 3; required: lower; required: upper; required: \##
        digit; required: [#$%^&!@];
        hertz.com minlength: 8; maxlength: 30; max-consecutive: 3; required: lower; required: upper; required: \##
        digit; required: [#$%^&!@];
        hertz.com.au minlength: 8; maxlength: 30; max-consecutive: 3; required: lower; required: upper; required: \##
        digit; required: [#$%^&!@];
        hertz.com.bh minlength: 8; maxlength: 30; max-consecutive: 3; required: lower; required: upper; required: \##
        digit; required: [#$%^&!@];
        hertz.com.hk minlength: 8; maxlength: 30; max-consecutive: 3; required: lower; required: upper; required: \##
        digit; required: [#$%^&!@];
        hertz.com.kw minlength: 8; maxlength: 30; max-consecutive: 3; required: lower; required: upper; required: \##
        digit; required: [#$%^&!@];
        hertz.com.mt minlength: 8; maxlength: 30; max-consecutive: 3; required: lower; required: upper; required: \##
        digit; required: [#$%^&!@];
        hertz.com.pl minlength: 8; maxlength: 30; max-consecutive: 3; required: lower; required: upper; required: \##
        digit; required: [#$%^&!@];
        hertz.com.pt minlength: 8; maxlength: 30; max-consecutive: 3; required: lower; required: upper; required: \##
        digit; required: [#$%^&!@];
        hertz.com.sg minlength: 8; maxlength: 30; max-consecutive: 3; required: lower; required: upper; required: \##
        digit; required: [#$%^&!@];
        hertz.com.tw minlength: 8; maxlength: 30; max-consecutive: 3; required: lower; required: upper; required: \##
        digit; required: [#$%^&!@];
        hertz.cv minlength: 8; maxlength: 30; max-consecutive: 3; required: lower; required: upper; required: \##
        digit; required: [#$%^&!@];
        hertz.cz minlength: 8; maxlength: 30; max-consecutive: 3; required: lower; required: upper; required: \##
        digit; required: [#$%^&!@];
        hertz.de minlength: 8; maxlength: 30; max-consecutive: 3; required: lower; required: upper; required: \##
        digit; required: [#$%^&!@];
        hertz.ee minlength: 8; maxlength: 30; max-consecutive: 3; required: lower; required: upper; required: \##
        digit; required: [#$%^&!@];
        hertz.es minlength: 8; maxlength: 30; max-consecutive: 3; required: lower; required: upper; required: \##
        digit; required: [#$%^&!@];
        hertz.fi minlength: 8; maxlength: 30; max-consecutive: 3; required: lower; required: upper; required: \##
        digit; required: [#$%^&!@];
        hertz.fr minlength: 8; maxlength: 30; max-consecutive: 3; required: lower; required: upper; required: \##
        digit; required: [#$%^&!@];
        hertz.hu minlength: 8; maxlength: 30; max-consecutive: 3; required: lower; required: upper; required: \##
        digit; required: [#$%^&!@];
        hertz.ie minlength: 8; maxlength: 30; max-consecutive: 3; required: lower; required: upper; required: \##
        digit; required: [#$%^&!@];
        hertz.it minlength: 8; maxlength: 30; max-consecutive: 3; required: lower; required: upper; required: \##
        digit; required: [#$%^&!@];
        hertz.jo minlength: 8; maxlength: 30; max-consecutive: 3; required: lower; required: upper; required: \##
        digit; required: [#$%^&!@];
        hertz.lt minlength: 8; maxlength: 30; max-consecutive: 3; required: lower; required: upper; required: \##
        digit; required: [#$%^&!@];
        hertz.nl minlength: 8; maxlength: 30; max-consecutive: 3; required: lower; required: upper; required: \##
        digit; required: [#$%^&!@];
        hertz.no minlength: 8; maxlength: 30; max-consecutive: 3; required: lower; required: upper; required: \##
        digit; required: [#$%^&!@];
        hertz.nu minlength: 8; maxlength: 30; max-consecutive: 3; required: lower; required: upper; required: \##
        digit; required: [#$%^&!@];
        hertz.pl minlength: 8; maxlength: 30; max-consecutive: 3; required: lower; required: upper; required: \##
        digit; required: [#$%^&!@];
        hertz.pt minlength: 8; maxlength: 30; max-consecutive: 3; required: lower; required: upper; required: \##
        digit; required: [#$%^&!@];
        hertz.qa minlength: 8; maxlength: 30; max-consecutive: 3; required: lower; required: upper; required: \##
        digit; required: [#$%^&!@];
        hertz.ru minlength: 8; maxlength: 30; max-consecutive: 3; required: lower; required: upper; required: \##
        digit; required: [#$%^&!@];
        hertz.se minlength: 8; maxlength: 30; max-consecutive: 3; required: lower; required: upper; required: \##
        digit; required: [#$%^&!@];
        hertz.si minlength: 8; maxlength: 30; max-consecutive: 3; required: lower; required: upper; required: \##
        digit; required: [#$%^&!@];
        hertzcaribbean.com minlength: 8; maxlength: 30; max-consecutive: 3; required: lower; required: upper; \##
        required: digit; required: [#$%^&!@];
        hetzner.com minlength: 8; required: lower; required: upper; required: digit; required: \##
        [-^!$%/()=?+#.,;:~*@{}_&[]];
        hilton.com minlength: 8; maxlength: 32; required: lower; required: upper; required: digit;
        hkbea.com minlength: 8; maxlength: 12; required: lower; required: upper; required: digit;
        hkexpress.com minlength: 8; maxlength: 15; required: lower; required: upper; required: digit; required: \##
        special;
        hotels.com minlength: 6; maxlength: 20; required: digit; required: [-~#@$%&!*_?^]; allowed: lower, upper;
        hotwire.com minlength: 6; maxlength: 30; allowed: lower, upper, digit, [-~!@#$%^&*_+=`|(){}[:;"'<>,.?]];
        hrblock.com minlength: 8; required: lower; required: upper; required: digit; required: [$#%!];
        hsbc.com.hk minlength: 6; maxlength: 30; required: lower; required: upper; required: digit; allowed: \##
        ['.@_];
        hsbc.com.my minlength: 8; maxlength: 30; required: lower, upper; required: digit; allowed: [-!$*.=?@_'];
        hypovereinsbank.de minlength: 6; maxlength: 10; required: lower, upper, digit; allowed: \##
        [!"#$%&()*+:;<=>?@[{}~]];
        hyresbostader.se minlength: 6; maxlength: 20; required: lower, upper; required: digit;
        ichunqiu.com minlength: 8; maxlength: 20; required: lower; required: upper; required: digit;
        id.nfpa.org minlength: 8; maxlength: 16; required: lower; required: upper; required: digit; required: \##
        [-"^#$%&'()*+:=@[_|{}~]];
        id.sonyentertainmentnetwork.com minlength: 8; maxlength: 30; required: lower, upper; required: digit; \##
        allowed: [-!@#^&*=+;:];
        id.westfield.com minlength: 9; maxlength: 20; required: lower; required: upper; required: digit; \##
        required: [!"#&'()*,./:;?@[\^_`{|}~];
        identity.codesignal.com minlength: 14; required: digit; required: lower, upper; required: [!#$%&*@^]
        identitytheft.gov allowed: lower, upper, digit, [!#%&*@^];
        idestination.info maxlength: 15;
        impots.gouv.fr minlength: 12; maxlength: 128; required: lower; required: digit; allowed: \##
        [-!#$%&*+/=?^_'.{|}];
        indochino.com minlength: 6; maxlength: 15; required: upper; required: digit; allowed: lower, special;
        inntopia.travel minlength: 7; maxlength: 19; required: digit; allowed: upper,lower,[-];
        internationalsos.com required: lower; required: upper; required: digit; required: [@#$%^&+=_];
        irctc.co.in minlength: 8; maxlength: 15; required: lower; required: upper; required: digit; required: \##
        [!@#$%^&*()+];
        irs.gov minlength: 8; maxlength: 32; required: lower; required: upper; required: digit; required: \##
        [!#$%&*@];
        jal.co.jp minlength: 8; maxlength: 16;
        japanpost.jp minlength: 8; maxlength: 16; required: digit; required: upper,lower;
        jewelosco.com minlength: 8; maxlength: 40; required: upper; required: [!#$%&*@^]; allowed: lower,digit;
        jordancu-onlinebanking.org minlength: 6; maxlength: 32; allowed: upper, lower, \##
        digit,[-!"#$%&'()*+,.:;<=>?@[^_`{|}~]];
        """##
}
